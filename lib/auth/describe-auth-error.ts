/** The closed part of what OAuth libraries throw. Messages quote tokens, states and the provider's own words. */
const PHRASE =
  /^(state mismatch|nonce mismatch|state missing from the response|checks\.state argument is missing|unexpected iss value|aud mismatch|aud is missing the client_id|failed to validate JWT signature|id_token (?:expired|not present in TokenSet|issued in the future)|outgoing request timed out|PKCE code_verifier cookie was missing|State cookie was missing|Nonce cookie was missing|expected 200 OK|access_denied)/i;

/** What may be logged of it: names, an OAuth error code, a network error's code, and known phrases. */
export function describeAuthError(metadata: unknown): Record<string, string> {
  const error = errorIn(metadata);
  if (error === null) return {};
  const { code, error: oauthCode } = error as Error & Record<string, unknown>;
  const phrase = PHRASE.exec(error.message)?.[1];
  return {
    error: error.name,
    ...(typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? { networkCode: code } : {}),
    ...(typeof oauthCode === 'string' && /^[a-z_]{3,40}$/.test(oauthCode) ? { oauthCode } : {}),
    ...(phrase === undefined ? {} : { reason: phrase.toLowerCase() }),
  };
}

function errorIn(metadata: unknown): Error | null {
  if (metadata instanceof Error) return metadata;
  if (typeof metadata !== 'object' || metadata === null || !('error' in metadata)) return null;
  return metadata.error instanceof Error ? metadata.error : null;
}
