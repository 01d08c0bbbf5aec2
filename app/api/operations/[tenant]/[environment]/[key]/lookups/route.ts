import { handler } from '../../../../../../../lib/http/handler.ts';
import { askLookup } from '../../../../../../../lib/services/ask-lookup.ts';
import { askLookupInput } from '../../../../../../../lib/shapes/decision.ts';
import { operationPath } from '../../../../../../../lib/shapes/scope.ts';

export const POST = handler({ params: operationPath, body: askLookupInput }, ({ caller, params, body }) =>
  askLookup(caller, params, params.key, body),
);
