/** For `vi.waitFor` and `vi.waitUntil`, on a busy machine. Shorter than a test's, so that a failure says what it waited for. */
export const TIMEOUT = { timeout: 45_000, interval: 10 };
