import { beforeEach, describe, expect, it } from 'vitest';
import type { ForwardingRequest } from '#shared/transfers/inbound-email';
import { memoriesOf } from '../../../testing/clients/album.ts';
import {
  emailRepliesTo,
  heldMessagesOf,
  ingestEmails,
  pushEmail,
  sendEmail,
  signedMessage,
  signUpEmailOwner,
  storedEmails,
  type EmailOwner,
} from '../../../testing/data/inbound-email.ts';
import { htmlText, mime, multipart, plainText } from '../../../testing/data/mime.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { purgeInboundEmailsJob } from '../purge-inbound-emails-job.ts';
import { findConfirmationCode } from './forwarding-requests.ts';

const GMAIL = 'forwarding-noreply@google.com';
const LINK = 'https://mail-settings.google.com/mail/vf-%5BANGjdJ-987654321-xyz%5D-abc';
const HOUR_MS = 60 * 60 * 1000;

let now = new Date();
let messages = 0;

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
let owner: EmailOwner;
beforeEach(async () => {
  owner = await signUpEmailOwner(server);
});

const numbered = (headers: Record<string, string>) => ({
  From: `Gmail Team <${GMAIL}>`,
  'Message-ID': `<${++messages}@mail.gmail.com>`,
  ...headers,
});
const confirmation = (code: string) =>
  plainText(
    `mara@gmail.com has requested to automatically forward mail to your email address.\r\nConfirmation code: ${code}\r\n\r\n${LINK}\r\n`,
    numbered({ Subject: `(#${code}) Gmail Forwarding Confirmation - Receive Mail from mara@gmail.com` }),
  );

async function deliver(owner: EmailOwner, message: Buffer, domain: string | null = 'google.com') {
  const raw = domain ? await signedMessage(server, message, domain) : message;
  expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
  await ingestEmails(server);
}

async function requestsOf(owner: EmailOwner): Promise<ForwardingRequest[]> {
  const { status, body } = await owner.get('/api/user/forwarding-requests');
  expect(status).toBe(200);
  return body as ForwardingRequest[];
}

describe('a request of Gmail to forward email', () => {
  it('is shown as text to the owner of the address only, and does nothing else', async () => {
    const [owner, other] = [await signUpEmailOwner(server), await signUpEmailOwner(server)];
    await deliver(owner, confirmation('123456789'));
    expect(await requestsOf(owner)).toEqual([
      {
        id: expect.any(String) as string,
        subject: '(#123456789) Gmail Forwarding Confirmation - Receive Mail from mara@gmail.com',
        code: '123456789',
        text: expect.stringContaining(`Confirmation code: 123456789\n\n${LINK}`) as string,
        createdAt: now.toISOString(),
      },
    ]);
    expect(await requestsOf(other)).toEqual([]);
    expect([await heldMessagesOf(owner), await memoriesOf(owner)]).toEqual([[], []]);
    expect([await emailRepliesTo(server, GMAIL), await storedEmails(server)]).toEqual([[], []]);
  });

  it.each([
    ['without a signature', GMAIL, null],
    ['signed by another domain', GMAIL, 'evil.example'],
    ['signed by a domain that ends alike', GMAIL, 'notgoogle.com'],
    ['from another address at Google', 'no-reply@google.com', 'google.com'],
    ['from a user of Gmail', 'forwarding-noreply@gmail.com', 'gmail.com'],
  ])('is dropped %s', async (_name, from, domain) => {
    const message = plainText(
      'Confirmation code: 123456789',
      numbered({ From: from, Subject: '(#123456789)' }),
    );
    await deliver(owner, message, domain);
    expect([await requestsOf(owner), await heldMessagesOf(owner)]).toEqual([[], []]);
  });

  it('is shown among the last three', async () => {
    for (let n = 0; n < 10; n++) {
      now = new Date(now.getTime() + 1000);
      await deliver(owner, confirmation(`12345678${n}`));
    }
    expect((await requestsOf(owner)).map(({ code }) => code)).toEqual([
      '123456789',
      '123456788',
      '123456787',
    ]);
  });

  it('is gone after a day, and its text is deleted', async () => {
    await deliver(owner, confirmation('123456789'));
    const texts = async () => {
      const { rows } = await server.context.db.execute(
        `select 1 from inbound_emails where forwarding_text is not null and owner_id = '${owner.userId}'`,
      );
      return rows.length;
    };
    now = new Date(now.getTime() + 23 * HOUR_MS);
    await purgeInboundEmailsJob.handle(server.context, {});
    expect([(await requestsOf(owner)).length, await texts()]).toEqual([1, 1]);
    now = new Date(now.getTime() + HOUR_MS);
    expect(await requestsOf(owner)).toEqual([]);
    await purgeInboundEmailsJob.handle(server.context, {});
    expect(await texts()).toBe(0);
  });

  it('is accepted while no room is left for the email of strangers', async () => {
    for (let n = 0; n < 50; n++) await sendEmail(server, owner, { from: `stranger${n}@else.example` });
    await ingestEmails(server);
    const forged = await pushEmail(server, owner.inboundEmail, confirmation('111111111'));
    expect(forged.status).toBe(429);
    await deliver(owner, confirmation('123456789'));
    expect((await requestsOf(owner)).map(({ code }) => code)).toEqual(['123456789']);
  });

  it.each([
    [
      'German',
      'Bestätigung der Gmail-Weiterleitung (#234567891)',
      'Bestätigungscode: 234567891',
      '234567891',
    ],
    ['Japanese', '（#345678912）Gmail の転送の確認', '確認コード: 345678912', '345678912'],
    ['Arabic', 'تأكيد إعادة التوجيه في Gmail', 'رمز التأكيد: 456789123', '456789123'],
    ['Hebrew', 'אישור העברה של Gmail', 'קוד אישור: 567891234', '567891234'],
    ['Russian, with a link alone', 'Подтверждение пересылки Gmail', 'Подтвердите запрос:', null],
  ])('is read in %s', async (_name, subject, line, code) => {
    const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
    const part = mime(
      { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' },
      Buffer.from(`mara987654321@gmail.com\r\n${line}\r\n${LINK}`).toString('base64'),
    );
    const html = htmlText(`<p>${line}</p>`);
    const headers = numbered({ Subject: encoded(subject) });
    await deliver(owner, multipart('alternative', [part, html], { headers }));
    expect(await requestsOf(owner)).toEqual([
      expect.objectContaining({ subject, code, text: `mara987654321@gmail.com\n${line}\n${LINK}` }),
    ]);
  });

  it('is read from HTML alone', async () => {
    const headers = numbered({ Subject: 'Gmail', 'Content-Type': 'text/html; charset=utf-8' });
    await deliver(owner, mime(headers, '<style>p{}</style><p>Code: <b>678912345</b></p><p>Bye</p>'));
    expect(await requestsOf(owner)).toMatchObject([{ code: '678912345', text: 'Code: 678912345\nBye' }]);
  });
});

describe('the confirmation code', () => {
  it.each([
    ['(#123456789) Gmail', '', '123456789'],
    ['Gmail Forwarding Confirmation (# 123456789)', 'Code: 987654321', '123456789'],
    ['', 'Code: 123456789', '123456789'],
    ['', 'Code: 123456789. Enter 123456789 in Gmail.', '123456789'],
    ['', 'Code: 123456789 or 987654321', null],
    ['', 'https://mail.google.com/vf-123456789 mara123456789@gmail.com', null],
    ['Gmail', 'Nothing', null],
  ])('of %j and %j is %j', (subject, text, code) => {
    expect(findConfirmationCode(subject, text)).toBe(code);
  });
});
