/** What there is to ask for, once the database is filled. */
export type Facts = {
  databaseUrl: string;
  sessionSecret: string;
  /** The cookie of the owner of 10,000 memories. */
  cookie: string;
  /** The cookie of somebody with 100, whose first page looks like the owner's. */
  fewCookie: string;
  /** The owner's newest, one for each connection. */
  memoryIds: string[];
  /** The newest one's picture. */
  imageId: string;
  /** The folder of the app's disk storage. */
  objects: string;
};

/** Words of the owner's captions. */
export const COMMON_WORD = 'sunny';
export const RARE_WORD = 'no07777';
/** What the browser sends along. */
export const TIME_ZONE = 'Europe/Berlin';
