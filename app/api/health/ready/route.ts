import { publicHandler } from '../../../../lib/http/handler.ts';
import { readiness } from '../../../../lib/services/readiness.ts';

/** The process can serve; if not, 503 and why. */
export const GET = publicHandler({}, async () => {
  const ready = await readiness();
  return Response.json(ready, { status: ready.status === 'ready' ? 200 : 503 });
});

export const dynamic = 'force-dynamic';
