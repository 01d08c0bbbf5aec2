import { createHash, createHmac } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import { rfc8785Text } from './canonical.ts';
import { materialRequest, type Material } from './material.ts';

type Described = Pick<Contract, 'name' | 'material' | 'ignored' | 'canonicalization_version'>;

export interface Fingerprint {
  /** `sha256:` and 64 hex digits. */
  fingerprint: string;
  fingerprintVersion: FingerprintVersion;
  material: Material;
  redacted: Material;
  /** The text that was hashed: what is sealed where the contract lets recovery send again. */
  canonicalRequest: string;
}

/**
 * How each version computes it. A version stays here for as long as records carry its number, since a record
 * is compared under its own version; a new canonical form is a new entry, never a change of an old one.
 */
const VERSIONS = { 1: fingerprintV1 } satisfies Record<Contract['canonicalization_version'], unknown>;
export type FingerprintVersion = keyof typeof VERSIONS;

/**
 * The fingerprint of a material request, computed anew on every delivery from the validated arguments; nobody
 * can supply one. Pass `version` (and the record's own contract) to compare with a stored record; version 0 of
 * adopted rows equals nothing and is not computable. Throws `InvalidArguments` as {@link materialRequest} does.
 */
export function fingerprint(
  contract: Described,
  tenantId: string,
  args: unknown,
  version: number = contract.canonicalization_version,
): Fingerprint {
  if (!isVersion(version))
    throw new RangeError(`Fingerprint version ${version} is not known to this process.`);
  return VERSIONS[version](contract, tenantId, args);
}

function isVersion(version: number): version is FingerprintVersion {
  return Object.hasOwn(VERSIONS, version);
}

/** SHA-256 over the RFC 8785 form of `{ material, tenant_id, tool }`. */
function fingerprintV1(contract: Described, tenantId: string, args: unknown): Fingerprint {
  const { material, redacted, request } = materialRequest(contract, tenantId, args);
  const canonicalRequest = rfc8785Text(request);
  const digest = createHash('sha256').update(canonicalRequest, 'utf8').digest('hex');
  return { fingerprint: `sha256:${digest}`, fingerprintVersion: 1, material, redacted, canonicalRequest };
}

const FIELD_DIGEST_HEX = 16;
const MIN_HMAC_KEY_BYTES = 16;

/**
 * One short keyed digest per material field, so that a mismatch in the trace shows which fields differ and
 * never what they hold: without the key, a guess of a small value cannot be checked. The field's name is part
 * of it, so that equal values in two fields do not show as equal.
 */
export function fieldDigests(material: Material, hmacKey: Uint8Array): Record<string, string> {
  if (hmacKey.byteLength < MIN_HMAC_KEY_BYTES) {
    throw new RangeError(`Field digests need a key of at least ${MIN_HMAC_KEY_BYTES} bytes.`);
  }
  return Object.fromEntries(
    Object.entries(material).map(([name, value]) => {
      const digest = createHmac('sha256', hmacKey)
        .update(rfc8785Text([name, value]), 'utf8')
        .digest('hex');
      return [name, digest.slice(0, FIELD_DIGEST_HEX)];
    }),
  );
}
