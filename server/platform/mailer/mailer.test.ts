import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../config/config.ts';
import { EmailDelayedError, RecipientRejectedError, type Email, type Mailer } from './mailer.ts';
import { startScriptedSmtpServer, type SmtpPhase } from '../../testing/fakes/scripted-smtp-server.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { createDevOutboxMailer } from './dev-outbox-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const sender = { address: 'album@mems.example', envelopeAddress: 'bounces@mems.example' };
const folder = await mkdtemp(join(tmpdir(), 'mems-outbox-'));
const smtp = await startSmtpServer();
const overSmtp = createSmtpMailer({ kind: 'smtp', url: smtp.url, requiresTls: false, dkim: null }, sender);
const scripted = await startScriptedSmtpServer();
/** Over a connection of its own. */
async function sendToScript(mail: Email): Promise<void> {
  const mailer = createSmtpMailer(
    { kind: 'smtp', url: scripted.url, requiresTls: false, dkim: null },
    sender,
  );
  await mailer.send(mail).finally(() => mailer.close());
}
const outbox = createDevOutboxMailer(folder, sender);
afterAll(async () => {
  overSmtp.close();
  await rm(folder, { recursive: true });
});

let mails = 0;
const aMail = (changes: Partial<Email> = {}): Email => ({
  id: `mail-${++mails}`,
  to: { name: 'Oma Ingrid', address: 'ingrid@family.example' },
  fromName: 'Mara via Mems Are Forever',
  replyTo: { name: 'Mara', address: 'mara@home.example' },
  subject: 'Mara has shared a new photo of Räx 🐕',
  html: '<p>Snow: <img src="cid:photo" alt="Räx"></p>',
  text: 'Snow: Räx',
  images: [
    { cid: 'photo', fileName: 'photo.jpg', contentType: 'image/jpeg', content: Buffer.from([255, 216, 7]) },
  ],
  unsubscribeUrl: 'https://mems.example/unsubscribe/token',
  ...changes,
});

const adapters: Record<string, { mailer: Mailer; read: (id: string) => Promise<string[]> }> = {
  'over SMTP': {
    mailer: overSmtp,
    read: (id) =>
      Promise.resolve(smtp.received.map(({ mime }) => mime).filter((mime) => mime.includes(`<${id}@`))),
  },
  'the outbox': {
    mailer: outbox,
    read: async (id) => [await readFile(join(folder, `${id}.eml`), 'utf8')],
  },
};

describe.each(Object.entries(adapters))('an email, %s', (_name, { mailer, read }) => {
  const send = async (mail: Email) => {
    await mailer.send(mail);
    const [mime = ''] = await read(mail.id);
    return { mime, parsed: await PostalMime.parse(mime) };
  };

  it('contains both bodies, the photo, From and Reply-To', async () => {
    const mail = aMail();
    const { mime, parsed } = await send(mail);
    expect(parsed).toMatchObject({
      messageId: `<${mail.id}@mems.example>`,
      from: { name: 'Mara via Mems Are Forever', address: 'album@mems.example' },
      to: [mail.to],
      replyTo: [mail.replyTo],
      subject: mail.subject,
      attachments: [{ contentId: '<photo>', mimeType: 'image/jpeg', disposition: 'inline' }],
    });
    expect(parsed.html).toContain('alt="Räx"');
    expect(parsed.text?.trim()).toBe('Snow: Räx');
    expect(mime).toMatch(/^List-Unsubscribe: <https:\/\/mems\.example\/unsubscribe\/token>\r?$/m);
    expect(mime).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  });

  it('cannot be changed by special characters in names and subjects', async () => {
    const evil = 'A\r\nBcc: all@evil.example\r\n\r\n<script>';
    const { mime, parsed } = await send(
      aMail({
        fromName: evil,
        subject: evil,
        to: { name: 'x" <all@evil.example>, "y\r\nCc: b@evil.example', address: 'ingrid@family.example' },
        replyTo: { name: evil, address: 'mara@home.example' },
      }),
    );
    expect(mime).not.toMatch(/^(bcc|cc):/im);
    expect(parsed.to?.map(({ address }) => address)).toEqual(['ingrid@family.example']);
    expect(parsed.subject).toBe('A Bcc: all@evil.example <script>');
    expect(parsed.from?.address).toBe('album@mems.example');
  });

  it('has no controls of the writing direction in names', async () => {
    const { parsed } = await send(aMail({ fromName: '\u202emoc.knab\u2066 via Mems Are Forever' }));
    expect(parsed.from?.name).toBe('moc.knab via Mems Are Forever');
  });
});

describe('over SMTP', () => {
  it('is sent to its recipient only, with the address for bounces as envelope sender', async () => {
    const mail = aMail();
    await overSmtp.send(mail);
    expect(smtp.received.at(-1)).toMatchObject({
      from: 'bounces@mems.example',
      to: ['ingrid@family.example'],
    });
  });

  it.each<[phase: SmtpPhase, reply: string]>([
    ['RCPT', '550 5.1.1 <ingrid@family.example>: Recipient address rejected: User unknown'],
    ['RCPT', '550-5.1.1 The email account that you tried to reach does not exist.\r\n550 5.1.1 Try again'],
    ['RCPT', '553 5.1.2 We do not accept mail for this host'],
    ['RCPT', '501 5.1.3 Bad recipient address syntax'],
    ['RCPT', '551 5.1.6 Recipient has moved'],
    ['RCPT', '556 5.1.10 Recipient domain does not accept mail'],
    ['RCPT', '550 5.2.1 The email account that you tried to reach is disabled'],
    ['RCPT', '550 #5.1.0 Address rejected'],
    ['RCPT', '550 No such person'],
    ['RCPT', '550 <relay-sender@family.example>: unknown user'],
    ['message', '550 5.1.1 <ingrid@family.example>: User unknown'],
  ])('rejects the recipient for good, at %s: %s', async (phase, reply) => {
    scripted.setScript((at) => (at === phase ? reply : undefined));
    await expect(sendToScript(aMail())).rejects.toThrow(RecipientRejectedError);
  });

  it.each<[phase: SmtpPhase, reply: string, isTemporary: boolean]>([
    ['greeting', '554 No SMTP service here', false],
    ['greeting', '421 Too many connections', true],
    ['MAIL', '550 5.1.1 <bounces@mems.example>: User unknown', false],
    ['MAIL', '550 Sender rejected', false],
    ['MAIL', '553 5.1.8 Domain of sender address does not resolve', false],
    ['MAIL', '530 5.7.0 Must issue a STARTTLS command first', false],
    ['MAIL', '452 4.3.1 Insufficient system storage', true],
    ['RCPT', '554 5.7.1 <ingrid@family.example>: Relay access denied', false],
    ['RCPT', '550 5.4.5 Daily sending quota exceeded', false],
    ['RCPT', '550 5.1.7 Sender address rejected: undeliverable', false],
    ['RCPT', '550 5.1.8 <bounces@mems.example>: Sender address rejected: Domain not found', false],
    ['RCPT', '550 5.1.0 <bounces@mems.example>: Sender address rejected: User unknown', false],
    ['RCPT', '550 5.7.1 Service unavailable; client host blocked', false],
    ['RCPT', '552 5.2.2 Mailbox full', false],
    ['RCPT', '550 relay not permitted', false],
    ['RCPT', '550 Sender verify failed', false],
    ['RCPT', '554 Rejected', false],
    ['RCPT', '450 4.1.1 Mailbox unavailable', true],
    ['RCPT', '421 4.7.0 Come back later', true],
    ['DATA', '554 No valid recipients', false],
    ['DATA', '550 Not now', false],
    ['message', '554 5.7.1 Message rejected as spam', false],
    ['message', '554 Transaction failed', false],
    ['message', '550 Rejected', false],
    ['message', '552 5.3.4 Message too big', false],
    ['message', '451 4.7.1 Greylisted', true],
  ])(
    'is delayed when it is not the recipient who is rejected, at %s: %s',
    async (phase, reply, isTemporary) => {
      scripted.setScript((at) => (at === phase ? reply : undefined));
      const failed = await sendToScript(aMail()).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(EmailDelayedError);
      expect(failed).toMatchObject({ isTemporary });
    },
  );

  it('is delayed when the mail server does not answer', async () => {
    const nowhere = createSmtpMailer(
      { kind: 'smtp', url: 'smtp://127.0.0.1:1', requiresTls: false, dkim: null },
      sender,
    );
    const failed = await nowhere.send(aMail()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EmailDelayedError);
    expect(failed).toMatchObject({ isTemporary: false });
    nowhere.close();
  });

  it('sends a password only with TLS, unless the URL says smtp+insecure', async () => {
    const mailerFor = (scheme: string) => {
      const url = smtp.url.replace('smtp://', `${scheme}://album:secret@`);
      const env = { SMTP_URL: url, PUBLIC_URL: 'https://mems.example', MAIL_FROM: sender.address };
      const { transport } = parseConfig(env).email;
      if (transport.kind !== 'smtp') throw new Error('SMTP is not configured');
      return createSmtpMailer(transport, sender);
    };
    const [strict, insecure] = [mailerFor('SMTP'), mailerFor('smtp+insecure')];
    await expect(strict.send(aMail())).rejects.toBeInstanceOf(EmailDelayedError);
    expect(smtp.passwords).toEqual([]);
    await insecure.send(aMail());
    expect(smtp.passwords).toEqual(['secret']);
    strict.close();
    insecure.close();
  });

  it('is signed with DKIM if there is a key, including the one-click unsubscribe headers (RFC 8058)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const dkim = { domainName: 'mems.example', keySelector: 'album', privateKey };
    const mailer = createSmtpMailer({ kind: 'smtp', url: scripted.url, requiresTls: false, dkim }, sender);
    scripted.setScript(() => undefined);
    await mailer.send(aMail());
    mailer.close();
    const mime = scripted.messages.at(-1)?.mime ?? Buffer.alloc(0);
    const resolver = (name: string) =>
      Promise.resolve(
        name === 'album._domainkey.mems.example'
          ? [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
          : [],
      );
    const { results } = await dkimVerify(mime, { resolver });
    expect(results).toHaveLength(1);
    expect(results[0]?.status.result).toBe('pass');
    const signed = /^DKIM-Signature:[^]*?\sh=([^;]*);/im.exec(mime.toString())?.[1] ?? '';
    expect(signed.toLowerCase().split(/\s*:\s*/)).toEqual(
      expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
    const forged = mime
      .toString('latin1')
      .replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click');
    const { results: ofForged } = await dkimVerify(Buffer.from(forged, 'latin1'), { resolver });
    expect(ofForged[0]?.status.result).toBe('fail');
  });
});

describe('in the dev outbox', () => {
  it('is written once by repeated and concurrent calls', async () => {
    const mail = aMail();
    await outbox.send(mail);
    await Promise.all([1, 2, 3].map((n) => outbox.send({ ...mail, subject: `Again ${n}` })));
    const files = (await readdir(folder)).filter((name) => name.startsWith(mail.id));
    expect(files).toEqual([`${mail.id}.eml`]);
    expect((await PostalMime.parse(await readFile(join(folder, `${mail.id}.eml`)))).subject).toBe(
      mail.subject,
    );
  });
});
