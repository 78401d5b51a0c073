const HOUR_MS = 60 * 60 * 1000;
/** How long an emailed link works. */
export const USER_TOKEN_LIFETIMES_MS = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
  'start-again': 24 * HOUR_MS,
  'secure-account': 48 * HOUR_MS,
};
