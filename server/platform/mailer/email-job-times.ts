/** Of a job that sends one email. */
export const EMAIL_JOB_TIMES = {
  /** Longer than a slow mail server may take for one email (RFC 5321, 4.5.3.2). */
  expireInSeconds: 40 * 60,
  leaseSeconds: 30,
};
