import { timestamp } from 'drizzle-orm/pg-core';

/** A moment, to the millisecond: a JavaScript cursor would lose microseconds and skip rows. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** A calendar day with a time of that day and no zone, as text. */
export const localTime = (name: string) => timestamp(name, { precision: 0, mode: 'string' });
