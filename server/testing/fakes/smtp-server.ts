import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

export type ReceivedEmail = { from: string; to: string[]; mime: string };
type ParsedEmail = { to: string; subject: string; text: string; html: string; token: string };

export type TestSmtpServer = {
  url: string;
  /** Of an app that sends its emails here. */
  env: Record<string, string>;
  received: ReceivedEmail[];
  /** Those received, parsed, each with the token of its first link. */
  emails(): Promise<ParsedEmail[]>;
  /** Passwords it was sent; without TLS, since it offers none. */
  passwords: string[];
  /** Rejects one recipient per reply, like `421 Come back later`. */
  rejectNext(...replies: string[]): void;
  acceptAll(): void;
  close(): Promise<void>;
};

/** A real SMTP server. Closed after the test file. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const received: ReceivedEmail[] = [];
  const rejections: string[] = [];
  const passwords: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      passwords.push(password ?? '');
      done(null, { user: username ?? '' });
    },
    // Replies are exactly those of the test, without an enhanced status code added.
    hideENHANCEDSTATUSCODES: true,
    onRcptTo(_address, _session, done) {
      const rejection = rejections.shift();
      if (!rejection) return done();
      const [code = '', ...message] = rejection.split(' ');
      done(Object.assign(new Error(message.join(' ')), { responseCode: Number(code) }));
    },
    onData(stream, session, done) {
      void text(stream).then((mime) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          mime,
        });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  afterAll(close);
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return {
    url,
    env: {
      SMTP_URL: url,
      MAIL_FROM: 'album@mems.example',
      MAIL_GROUPING_SECONDS: '0',
      PUBLIC_URL: 'http://mems.example',
    },
    received,
    emails: () => Promise.all(received.map(parseEmail)),
    passwords,
    rejectNext: (...replies) => void rejections.push(...replies),
    acceptAll: () => void rejections.splice(0),
    close,
  };
}

async function parseEmail({ mime, to }: ReceivedEmail): Promise<ParsedEmail> {
  const { subject = '', text: body = '', html = '' } = await PostalMime.parse(mime);
  return { to: to[0] ?? '', subject, text: body, html, token: /#([\w-]+)/.exec(body)?.[1] ?? '' };
}
