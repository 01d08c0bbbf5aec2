import { handler } from '../../../../../../../lib/http/handler.ts';
import { decideApproval } from '../../../../../../../lib/services/decide-approval.ts';
import { decideApprovalInput } from '../../../../../../../lib/shapes/approval.ts';
import { operationPath } from '../../../../../../../lib/shapes/scope.ts';

export const POST = handler(
  { params: operationPath, body: decideApprovalInput },
  ({ caller, params, body }) => decideApproval(caller, params, params.key, body),
);
