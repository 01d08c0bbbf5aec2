import { handler } from '../../../../../../../lib/http/handler.ts';
import { decide } from '../../../../../../../lib/services/decide.ts';
import { decideInput } from '../../../../../../../lib/shapes/decision.ts';
import { operationPath } from '../../../../../../../lib/shapes/scope.ts';

export const POST = handler({ params: operationPath, body: decideInput }, ({ caller, params, body }) =>
  decide(caller, params, params.key, body),
);
