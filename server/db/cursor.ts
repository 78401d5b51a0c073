/** A place in a list that is ordered newest first: right after the row with these keys. */
export type Cursor = {
  /** A local time, in a list that is ordered by it first; else null. */
  takenAt: string | null;
  createdAt: Date;
  id: string;
};
