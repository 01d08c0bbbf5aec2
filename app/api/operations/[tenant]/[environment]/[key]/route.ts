import { handler } from '../../../../../../lib/http/handler.ts';
import { readOperation } from '../../../../../../lib/services/read-operation.ts';
import { operationPath } from '../../../../../../lib/shapes/scope.ts';

export const GET = handler({ params: operationPath }, ({ caller, params }) =>
  readOperation(caller, params, { operationKey: params.key }),
);
