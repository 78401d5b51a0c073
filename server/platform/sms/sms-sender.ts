export type Sms = {
  /** The same for all attempts: the dev outbox's file name, so that a repeat is recognized. */
  id: string;
  /** E.164 */
  to: string;
  text: string;
};

/** A permanent error: the number cannot receive SMS, or its owner has opted out (STOP). */
export class SmsRejectedError extends Error {
  override readonly name = 'SmsRejectedError';
  constructor(
    readonly reason: 'unreachable' | 'opted-out',
    message: string,
  ) {
    super(message);
  }
}

/** This attempt failed: rate limited, a network error, a wrong setting. The SMS may have been sent nevertheless. */
export class SmsUnavailableError extends Error {
  override readonly name = 'SmsUnavailableError';
  readonly retryAfterSeconds: number | null;
  /** The operator must change a setting: a wrong password, a region that is not enabled. */
  readonly isMisconfigured: boolean;

  constructor(
    message: string,
    { retryAfterSeconds = null, isMisconfigured = false }: SmsUnavailability = {},
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.isMisconfigured = isMisconfigured;
  }
}

type SmsUnavailability = { retryAfterSeconds?: number | null; isMisconfigured?: boolean };

export type SmsSender = {
  /** True for the dev outbox, which shows the SMS at /dev/outbox. */
  isEmbedded: boolean;
  /** Makes one attempt. The dev outbox writes a repeated SMS once. @throws SmsRejectedError, SmsUnavailableError */
  send(sms: Sms): Promise<void>;
};
