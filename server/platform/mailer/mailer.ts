/**
 * An email, ready to go. Names and subjects are data: whatever stands in them, they add no header and no recipient.
 */
export type Email = {
  /** Of what is sent, not of the try: makes the Message-ID and names the outbox's file, so that a repeat is recognized. */
  id: string;
  to: EmailAddress;
  /** Who it is from in words; the address is the product's own. */
  fromName: string;
  replyTo: EmailAddress | null;
  /** The Message-ID of the mail that it answers, without its angle brackets. */
  inReplyTo?: string | null;
  subject: string;
  html: string;
  text: string;
  /** Shown within the HTML, there named `cid:<cid>`. */
  images: EmailImage[];
  /** Takes an RFC 8058 one-click POST. Null for mail about the account itself. */
  unsubscribeUrl: string | null;
};

export type EmailAddress = { name: string; address: string };

export type EmailImage = { cid: string; fileName: string; contentType: string; content: Buffer };

/** The recipient's address takes no mail, and never will. */
export class RecipientRefusedError extends Error {
  override readonly name = 'RecipientRefusedError';
}

/** It was not taken this time, whatever the reason; the recipient's address may be right. */
export class EmailDelayedError extends Error {
  override readonly name = 'EmailDelayedError';
  /** The mail server asked to come back later (4xx). If not, an operator has something to mend. */
  readonly isTemporary: boolean;

  constructor(message: string, { cause, isTemporary }: { cause: unknown; isTemporary: boolean }) {
    super(message, { cause });
    this.isTemporary = isTemporary;
  }
}

/** Hands mail over. */
export type Mailer = {
  /** Whether it stays on this machine, where nobody needs to prove that an address is theirs. */
  isEmbedded: boolean;
  /** The same mail may be handed over again; the embedded outbox keeps it once. @throws RecipientRefusedError, EmailDelayedError */
  send(mail: Email): Promise<void>;
  close(): void;
};
