import { handler } from '../../../../../lib/http/handler.ts';
import { listCases } from '../../../../../lib/services/list-cases.ts';
import { casesSearch } from '../../../../../lib/shapes/operation-search.ts';
import { scope } from '../../../../../lib/shapes/scope.ts';

export const GET = handler({ params: scope, query: casesSearch }, ({ caller, params, query }) =>
  listCases(caller, params, { after: query.after ?? null }),
);
