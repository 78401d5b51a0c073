/** What time it is. Tests set their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
