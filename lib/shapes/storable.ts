import * as z from 'zod/mini';

/** PostgreSQL cannot hold U+0000 in a text: what has it is refused before the database is asked. */
export const storable = z.regex(/^[^\0]*$/);
