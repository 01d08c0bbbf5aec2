import { pgTable, text, uuid } from 'drizzle-orm/pg-core';

/** What the console may read of people: names for its screens, never an address. */
export const users = pgTable('users', {
  userId: uuid('user_id').primaryKey(),
  name: text('name').notNull(),
});
