/** The filled database, for both servers and all cases. */
export type BenchData = {
  databaseUrl: string;
  sessionSecret: string;
  /** The session cookie of the user with 10,000 memories. */
  cookie: string;
  /** The session cookie of a user with 100 memories. */
  fewCookie: string;
  /** The newest memories, one per connection. */
  memoryIds: string[];
  /** The image of the newest memory. */
  imageId: string;
  /** The folder of the app's disk storage. */
  objectsFolder: string;
};

/** Terms in captions: of every second memory, and of one. */
export const COMMON_WORD = 'sunny';
export const RARE_WORD = 'no07777';
/** Sent by the browser with every request. */
export const TIME_ZONE = 'Europe/Berlin';
