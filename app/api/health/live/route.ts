import { publicHandler } from '../../../../lib/http/handler.ts';

/** The process answers. */
export const GET = publicHandler({}, async () => ({ status: 'live' }));

export const dynamic = 'force-dynamic';
