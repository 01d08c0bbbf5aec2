/**
 * sonner makes one `<style>` of its own, first empty and then with its rules, and takes no nonce. Both contents are
 * allowed by hash; a test computes them again from the installed package.
 */
export const SONNER_STYLE_HASHES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/**
 * What pages may load and run: scripts by nonce alone, everything from this origin. Forms go to this origin only;
 * the way to the identity provider is a navigation of its own. `development` adds what hot reload needs.
 */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  const styles = development
    ? `'self' 'unsafe-inline'` // a nonce here would switch 'unsafe-inline' off
    : `'self' 'nonce-${nonce}' ${SONNER_STYLE_HASHES.join(' ')}`;
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? ` 'unsafe-eval'` : ''}`,
    `style-src ${styles}`,
    `style-src-attr 'unsafe-inline'`, // positions of menus and toasts are style attributes
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `object-src 'none'`,
  ].join('; ');
}

/** 144 random bits, fresh for each answer. */
export function newNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));
}

/** The headers of every answer besides the policy. A page under https asks browsers to stay there. */
export function securityHeaders(options: { https: boolean }): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // not no-referrer: with it browsers send `Origin: null`, and our own forms would be refused
    'referrer-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=(), clipboard-read=(), clipboard-write=(self)',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
