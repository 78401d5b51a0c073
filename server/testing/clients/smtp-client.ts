import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An SMTP client for tests, line by line. */
export type SmtpClient = {
  greeting: string;
  /** Sends a line and returns the whole reply. */
  say(line: string): Promise<string>;
  /** Sends an email and returns the reply to each step. */
  send(email: { from: string; to: string[]; body: Buffer }): Promise<string[]>;
  /** Upgrades to TLS with any certificate. @returns the common name of the server's certificate */
  startTls(): Promise<string | string[] | undefined>;
  write(bytes: Buffer | string): void;
  end(): Promise<void>;
};

/** @param from the local address to connect from */
export async function connectSmtp(port: number, from = '127.0.0.1'): Promise<SmtpClient> {
  let socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let received = '';
  let replies: AsyncIterator<string> = readReplies();

  async function* readReplies(): AsyncGenerator<string> {
    for await (const chunk of socket) {
      received += String(chunk);
      for (let whole = REPLY.exec(received); whole; whole = REPLY.exec(received)) {
        received = received.slice(whole[0].length);
        yield whole[0].trim();
      }
    }
  }
  const next = async () => ((await replies.next()).value as string | undefined) ?? 'closed';

  const client: SmtpClient = {
    greeting: await next(),
    say(line) {
      socket.write(`${line}\r\n`);
      return next();
    },
    async send({ from, to, body }) {
      const results = [await client.say('EHLO mail.home.example'), await client.say(`MAIL FROM:<${from}>`)];
      for (const each of to) results.push(await client.say(`RCPT TO:<${each}>`));
      const data = await client.say('DATA');
      if (!data.startsWith('354')) return [...results, data];
      const stuffed = body.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
      socket.write(Buffer.from(`${stuffed}\r\n.\r\n`, 'latin1'));
      return [...results, await next()];
    },
    async startTls() {
      await client.say('STARTTLS');
      const raw = socket;
      const encrypted = connectTls({ socket: raw, rejectUnauthorized: false });
      await once(encrypted, 'secureConnect');
      socket = encrypted;
      replies = readReplies();
      return encrypted.getPeerCertificate().subject.CN;
    },
    write: (bytes) => void socket.write(bytes),
    async end() {
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
  return client;
}

/** `250-…` continues, `250 …` is the last line. */
const REPLY = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/;
