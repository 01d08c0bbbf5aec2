/** Set by `proxy.ts` on every request, over whatever the client sent: the path that a page may send people back to. */
export const PATH_HEADER = 'x-replay-desk-path';
