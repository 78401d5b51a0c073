import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** The step of an SMTP session that the server replies to; `message` is the final dot. */
export type SmtpPhase = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'message';

/** The server's reply, like `550 5.1.1 No such user`; undefined for success. */
export type SmtpScript = (
  phase: SmtpPhase,
  recipient: string,
) => string | undefined | Promise<string | undefined>;

export type ScriptedSmtpServer = {
  url: string;
  /** All messages up to their final dot, accepted or not. */
  messages: { to: string; mime: Buffer }[];
  setScript(script: SmtpScript): void;
};

const SUCCESS: Record<SmtpPhase, string> = {
  greeting: '220 mx.test',
  EHLO: '250 mx.test',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 Go on',
  message: '250 2.0.0 Ok',
};

/** An SMTP server whose replies, and their delays, a test controls. Closed after the test file. */
export async function startScriptedSmtpServer(): Promise<ScriptedSmtpServer> {
  const messages: ScriptedSmtpServer['messages'] = [];
  const sockets = new Set<Socket>();
  let script: SmtpScript = () => undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The client may disconnect.
    socket.on('error', () => undefined);
    void serve(socket).catch(() => socket.destroy());
  });

  async function serve(socket: Socket): Promise<void> {
    let recipient = '';
    const reply = async (phase: SmtpPhase) => {
      const line = (await script(phase, recipient)) ?? SUCCESS[phase];
      socket.write(`${line}\r\n`);
      return line;
    };
    let message: string[] | null = null;
    await reply('greeting');
    for await (const line of linesOf(socket)) {
      if (message) {
        if (line !== '.') {
          message.push(line.startsWith('.') ? line.slice(1) : line);
          continue;
        }
        messages.push({ to: recipient, mime: Buffer.from(`${message.join('\r\n')}\r\n`, 'latin1') });
        message = null;
        await reply('message');
        continue;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') recipient = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'QUIT') return void socket.end('221 Bye\r\n');
      if (verb === 'EHLO' || verb === 'MAIL' || verb === 'RCPT') await reply(verb);
      else if (verb === 'DATA') message = (await reply('DATA')).startsWith('354') ? [] : null;
      else socket.write('250 Ok\r\n');
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    setScript: (next) => {
      script = next;
    },
  };
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const lines = (rest + String(chunk)).split('\r\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
