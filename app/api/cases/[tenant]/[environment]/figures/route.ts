import { handler } from '../../../../../../lib/http/handler.ts';
import { countCases } from '../../../../../../lib/services/count-cases.ts';
import { scope } from '../../../../../../lib/shapes/scope.ts';

export const GET = handler({ params: scope }, ({ caller, params }) => countCases(caller, params));
