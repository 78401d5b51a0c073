import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An SMTP client, line by line. */
export type SmtpClient = {
  greeting: string;
  /** Sends a line. Resolves to the complete response. */
  say(line: string): Promise<string>;
  /** Sends an email. Resolves to the response of each step. */
  send(mail: { from: string; to: string[]; body: Buffer }): Promise<string[]>;
  /** Goes on encrypted; the certificate may be anybody's. @returns for whom the server's certificate is */
  startTls(): Promise<string | string[] | undefined>;
  write(bytes: Buffer | string): void;
  /** Drops the connection. */
  end(): Promise<void>;
};

/** @param from the address of this side, on this machine */
export async function connectSmtp(port: number, from = '127.0.0.1'): Promise<SmtpClient> {
  let socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let heard = '';
  let answers: AsyncIterator<string> = answersOf();

  async function* answersOf(): AsyncGenerator<string> {
    for await (const chunk of socket) {
      heard += String(chunk);
      for (let whole = WHOLE.exec(heard); whole; whole = WHOLE.exec(heard)) {
        heard = heard.slice(whole[0].length);
        yield whole[0].trim();
      }
    }
  }
  const next = async () => ((await answers.next()).value as string | undefined) ?? 'closed';

  const client: SmtpClient = {
    greeting: await next(),
    say(line) {
      socket.write(`${line}\r\n`);
      return next();
    },
    async send({ from, to, body }) {
      const said = [await client.say('EHLO mail.home.example'), await client.say(`MAIL FROM:<${from}>`)];
      for (const each of to) said.push(await client.say(`RCPT TO:<${each}>`));
      const data = await client.say('DATA');
      if (!data.startsWith('354')) return [...said, data];
      const stuffed = body.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
      socket.write(Buffer.from(`${stuffed}\r\n.\r\n`, 'latin1'));
      return [...said, await next()];
    },
    async startTls() {
      await client.say('STARTTLS');
      const raw = socket;
      const encrypted = connectTls({ socket: raw, rejectUnauthorized: false });
      await once(encrypted, 'secureConnect');
      socket = encrypted;
      answers = answersOf();
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

/** `250-…` goes on, `250 …` is the last line. */
const WHOLE = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/;
