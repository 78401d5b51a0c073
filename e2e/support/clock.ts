/** The server's time, for what the server compares with its own clock. A page's clock is fixed by its test. */
export const now = (): Date => new Date();
