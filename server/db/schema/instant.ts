import { timestamp } from 'drizzle-orm/pg-core';

/** A moment, to the millisecond: a JavaScript cursor would lose microseconds and skip rows. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
