import { handler } from '../../../../../lib/http/handler.ts';
import { listOperations } from '../../../../../lib/services/list-operations.ts';
import { operationSearch } from '../../../../../lib/shapes/operation-search.ts';
import { scope } from '../../../../../lib/shapes/scope.ts';

export const GET = handler({ params: scope, query: operationSearch }, ({ caller, params, query }) =>
  listOperations(caller, params, query),
);
