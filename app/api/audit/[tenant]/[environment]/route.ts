import { handler } from '../../../../../lib/http/handler.ts';
import { listAudit } from '../../../../../lib/services/list-audit.ts';
import { auditSearch } from '../../../../../lib/shapes/operation-search.ts';
import { scope } from '../../../../../lib/shapes/scope.ts';

export const GET = handler({ params: scope, query: auditSearch }, ({ caller, params, query }) =>
  listAudit(caller, params, { before: query.before ?? null }),
);
