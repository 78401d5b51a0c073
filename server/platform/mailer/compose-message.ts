import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Email } from './mailer.ts';

/** The email in nodemailer's format, the same for every adapter. */
export function composeMessage(mail: Email, sender: { address: string }): SendMailOptions {
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${mail.id}@${domain}>`,
    from: { name: inOneLine(mail.fromName), address: sender.address },
    to: { name: inOneLine(mail.to.name), address: mail.to.address },
    ...(mail.replyTo && {
      replyTo: { name: inOneLine(mail.replyTo.name), address: mail.replyTo.address },
    }),
    ...(mail.inReplyTo && { inReplyTo: `<${mail.inReplyTo}>`, references: `<${mail.inReplyTo}>` }),
    subject: inOneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: mail.images.map(({ cid, fileName, contentType, content }) => ({
      cid,
      filename: fileName,
      contentType,
      content,
      contentDisposition: 'inline' as const,
    })),
    headers: {
      // Suppresses vacation replies.
      'Auto-Submitted': mail.inReplyTo === undefined ? 'auto-generated' : 'auto-replied',
      ...(mail.unsubscribeUrl && {
        'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // Content must never be read from a file or fetched from a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

export function buildMessage(options: SendMailOptions): Promise<Buffer> {
  return new MailComposer({ ...options, newline: 'windows' }).compile().build();
}

/** Without controls of the writing direction, which could make a name look like another sender's. */
function inOneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
    .trim();
}
