/** Names and subjects may contain anything: they cannot inject headers or recipients. */
export type Email = {
  /** The same for all attempts: makes the Message-ID and the dev outbox's file name, so that a repeat is recognized. */
  id: string;
  to: EmailAddress;
  /** The sender's display name. The address is the product's own. */
  fromName: string;
  replyTo: EmailAddress | null;
  /** The Message-ID of the email that it replies to, without angle brackets. */
  inReplyTo?: string | null;
  subject: string;
  html: string;
  text: string;
  /** Referenced in the HTML as `cid:<cid>`. */
  images: EmailImage[];
  /** Accepts an RFC 8058 one-click POST. Null for emails about the account itself. */
  unsubscribeUrl: string | null;
};

type EmailAddress = { name: string; address: string };

type EmailImage = { cid: string; fileName: string; contentType: string; content: Buffer };

/** The recipient's address permanently rejects email. */
export class RecipientRejectedError extends Error {
  override readonly name = 'RecipientRejectedError';
}

/** This attempt failed. The recipient's address may be valid. */
export class EmailDelayedError extends Error {
  override readonly name = 'EmailDelayedError';
  /** The mail server asked to retry later (4xx). If false, the operator must fix something. */
  readonly isTemporary: boolean;

  constructor(message: string, { cause, isTemporary }: { cause: unknown; isTemporary: boolean }) {
    super(message, { cause });
    this.isTemporary = isTemporary;
  }
}

export type Mailer = {
  /** True for the dev outbox, where no email address needs to be verified. */
  isEmbedded: boolean;
  /** Makes one attempt. The dev outbox writes a repeated email once. @throws RecipientRejectedError, EmailDelayedError */
  send(mail: Email): Promise<void>;
  close(): void;
};
