/** A text message, ready to go. */
export type Sms = {
  /** Of what is sent, not of the try: names the outbox's file, so that a repeat is recognized. */
  id: string;
  /** E.164 */
  to: string;
  text: string;
};

/** It will never arrive: nobody can be texted at this number, or whoever has it wants no texts from us (STOP). */
export class SmsRefusedError extends Error {
  override readonly name = 'SmsRefusedError';
  constructor(
    readonly reason: 'unreachable' | 'opted-out',
    message: string,
  ) {
    super(message);
  }
}

/** It was not taken this time: too many at once, a network fault, a wrong setting of ours. It may have gone out even so. */
export class SmsUnavailableError extends Error {
  override readonly name = 'SmsUnavailableError';
  /** How long the provider asks us to wait, when it says so. */
  readonly retryAfterSeconds: number | null;
  /** Whether it fails until the operator changes a setting: a wrong password, a region that is not enabled. */
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

/** Hands texts over. */
export type SmsSender = {
  /** Whether texts stay on this machine, to be read at /dev/outbox. */
  isEmbedded: boolean;
  /** Tries once. The embedded outbox keeps a text that is handed over again once. @throws SmsRefusedError, SmsUnavailableError */
  send(sms: Sms): Promise<void>;
};
