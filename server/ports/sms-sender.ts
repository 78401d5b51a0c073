/** A text message, ready to go. */
export type Sms = {
  /** Of what is sent, not of the try: names the outbox's file, so that a repeat is recognised. */
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
}

/** Hands texts over. */
export type SmsSender = {
  /** Whether texts stay on this machine, to be read at /dev/outbox. */
  isEmbedded: boolean;
  /** Tries once. The embedded outbox keeps a text that is handed over again once. @throws SmsRefusedError, SmsUnavailableError */
  send(sms: Sms): Promise<void>;
};
