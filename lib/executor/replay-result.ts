import type { Contract } from './contract/contract.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type { OperationId, OperationRecord } from './ports.ts';
import { open, seal } from './sealing.ts';
import type { World } from './world.ts';

type Fields = { readonly [field: string]: PlainJson };
type StoredResult = { response: PlainJson; response_sealed: string | null };

/** What is sealed opens for this operation alone; a request, which a successor inherits, for those that succeed it too. */
export const boundTo = ({ tenant_id, environment, operation_key }: OperationId, what: 'request' | 'result') =>
  JSON.stringify([
    tenant_id,
    environment,
    what === 'request' ? operation_key.replace(/!\d+$/, '') : operation_key,
    what,
  ]);

/** Splits a result into what is stored readable and what the contract calls sensitive, which is stored sealed. */
export function toStored(
  world: World,
  { replay }: Contract,
  id: OperationId,
  result: PlainJson,
): StoredResult {
  if (replay.sensitive.length === 0) return { response: result, response_sealed: null };
  if (world.sealing === null) throw new Error('a contract with sensitive replay fields needs sealing');
  if (!isFields(result)) {
    // a result that is no object has no fields to tell apart
    return {
      response: null,
      response_sealed: seal(world.sealing, JSON.stringify(result), boundTo(id, 'result')),
    };
  }
  const part = (sensitive: boolean) =>
    Object.fromEntries(
      Object.entries(result).filter(([name]) => replay.sensitive.includes(name) === sensitive),
    );
  return {
    response: part(false),
    response_sealed: seal(world.sealing, JSON.stringify(part(true)), boundTo(id, 'result')),
  };
}

/** The record with its whole result; sensitive fields whose key is not here are left out, and that is told. */
export function withResult(world: World, record: OperationRecord): OperationRecord {
  // past its retention a result is gone, whether or not the compact duty has come by
  if (record.facts.retention === 'past') return { ...record, response: null, response_sealed: null };
  if (record.response_sealed === null) return record;
  try {
    if (world.sealing === null) throw new Error('no sealing keys are configured');
    const sealed = JSON.parse(
      open(world.sealing, record.response_sealed, boundTo(record, 'result')),
    ) as PlainJson;
    const response =
      isFields(sealed) && isFields(record.response) ? { ...record.response, ...sealed } : sealed;
    return { ...record, response };
  } catch (error) {
    world.warn(`the sealed result of ${record.operation_key} cannot be opened`, error);
    return record;
  }
}

const isFields = (value: PlainJson): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
