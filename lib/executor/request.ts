import { needsApproval } from './approval.ts';
import { fingerprint, type Fingerprint } from './identity/fingerprint.ts';
import { InvalidArguments } from './identity/invalid-arguments.ts';
import { assertPlainJson } from './identity/plain-json.ts';
import type { Tool } from './tool.ts';

/** A delivery's arguments, checked and given their identity. */
export interface Request {
  /** As the tool's schema gave them, frozen. */
  args: unknown;
  identity: Fingerprint;
  /** A person approves it before its effect. */
  needsApproval: boolean;
}

/**
 * Checks the arguments by plain-JSON guard and input schema, and computes the fingerprint, anew on each delivery.
 * Throws `InvalidArguments`; nothing has been claimed then.
 */
export async function readRequest(tool: Tool, tenantId: string, given: unknown): Promise<Request> {
  const plain = assertPlainJson(given);
  const checked = await tool.input['~standard'].validate(plain);
  if (checked.issues !== undefined) {
    const [issue] = checked.issues;
    const path = (issue?.path ?? [])
      .map((part) => (typeof part === 'object' ? part.key : part))
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    throw new InvalidArguments(
      'not_json',
      `$${path.join('')}`,
      issue?.message ?? 'The arguments do not fit the tool.',
    );
  }
  const args = assertPlainJson(checked.value);
  const identity = fingerprint(tool.contract, tenantId, args);
  return { args, identity, needsApproval: needsApproval(tool.contract, identity.material) };
}
