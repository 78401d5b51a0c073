/** A place in a list that is ordered newest first: right after the row with this instant and id. */
export type Cursor = { createdAt: Date; id: string };
