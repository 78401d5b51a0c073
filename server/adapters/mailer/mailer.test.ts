import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, it } from 'vitest';
import { MailDelayedError, MailRefusedError, type Mail, type Mailer } from '../../ports/mailer.ts';
import { startSmtpServer } from '../../testing/smtp-server.ts';
import { createOutboxMailer } from './outbox-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const sender = { address: 'album@mems.example', envelopeAddress: 'bounces@mems.example' };
const folder = await mkdtemp(join(tmpdir(), 'mems-outbox-'));
const smtp = await startSmtpServer();
const overSmtp = createSmtpMailer({ kind: 'smtp', url: smtp.url, dkim: null }, sender);
const outbox = createOutboxMailer(folder, sender);
afterAll(async () => {
  overSmtp.close();
  await rm(folder, { recursive: true });
});

let mails = 0;
const aMail = (changes: Partial<Mail> = {}): Mail => ({
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

describe.each(Object.entries(adapters))('a mail, %s', (_name, { mailer, read }) => {
  const send = async (mail: Mail) => {
    await mailer.send(mail);
    const [mime = ''] = await read(mail.id);
    return { mime, parsed: await PostalMime.parse(mime) };
  };

  it('arrives whole: both bodies, the picture, who it is from and where answers go', async () => {
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

  it('takes names and subjects for data, whatever stands in them', async () => {
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
});

describe('over SMTP', () => {
  it('goes to its recipient alone, under the address that hears of what comes back', async () => {
    const mail = aMail();
    await overSmtp.send(mail);
    expect(smtp.received.at(-1)).toMatchObject({
      from: 'bounces@mems.example',
      to: ['ingrid@family.example'],
    });
  });

  it('is refused for good by a 5xx, and delayed by a 4xx or when nobody answers', async () => {
    smtp.refuseNext('550 No such person', '421 Come back later');
    await expect(overSmtp.send(aMail())).rejects.toThrow(MailRefusedError);
    await expect(overSmtp.send(aMail())).rejects.toThrow(MailDelayedError);
    const nowhere = createSmtpMailer({ kind: 'smtp', url: 'smtp://127.0.0.1:1', dkim: null }, sender);
    await expect(nowhere.send(aMail())).rejects.toThrow(MailDelayedError);
    nowhere.close();
  });

  it('is signed with DKIM when there is a key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const dkim = { domainName: 'mems.example', keySelector: 'album', privateKey };
    const mailer = createSmtpMailer({ kind: 'smtp', url: smtp.url, dkim }, sender);
    await mailer.send(aMail());
    mailer.close();
    expect(smtp.received.at(-1)?.mime).toMatch(/^DKIM-Signature:[^]*d=mems\.example;[^]*s=album/m);
  });
});

describe('in the outbox', () => {
  it('is there once, as it was first, however often and at the same moment it is sent', async () => {
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
