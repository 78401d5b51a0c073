import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSentEmail, type OutboxEmail } from '../clients/dev-outbox.ts';
import { startProxy, type Proxy } from '../environment/proxy.ts';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startSmtpServer, type TestSmtpServer } from '../fakes/smtp-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import { disturb, outages } from './disturb.ts';
import type { Vendors } from './operations/operation.ts';
import { createUploads } from './operations/upload.ts';
import { runRound } from './run-round.ts';

const TIMEOUT_MS = 300_000;

let smtp: TestSmtpServer;
let proxy: Proxy;
let vendors: Vendors;
beforeAll(async () => {
  smtp = await startSmtpServer();
  proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(smtp.url).port) });
  vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
});
afterAll(async () => {
  await proxy.close();
  await vendors.openai.close();
});

/** Mail servers recognize an email that is sent again by its Message-ID. */
async function sentEmails(): Promise<OutboxEmail[]> {
  const emails = await Promise.all(smtp.received.map(({ mime }) => parseSentEmail(mime)));
  return [...new Map(emails.map((email) => [`${email.messageId} ${email.to}`, email])).values()];
}

describe('the app, whose mail server is down, then slow, then silent, then breaks off', () => {
  it(
    'adds all photos meanwhile, and sends each email afterwards',
    async () => {
      const breakOff = (each: Proxy) => void each.fail({ cutAfterBytes: 150 });
      const port = await findFreePort();
      const round = await runRound(vendors, () => disturb(proxy, [...outages, breakOff]), {
        settings: {
          SMTP_URL: `smtp://127.0.0.1:${proxy.port}`,
          PORT: String(port),
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          MAIL_FROM: 'album@mems.example',
          MAIL_GROUPING_SECONDS: '0',
        },
        factories: [createUploads],
        sentEmails,
      });
      expect([round, ...round.operations].flatMap((each) => each.violations)).toEqual([]);
      expect(round.rejections).toEqual([]);
      expect((await sentEmails()).length).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

/** Below the ephemeral ports, which other tests get at any time. */
async function findFreePort(): Promise<number> {
  for (let port = 10_000 + (process.pid % 20_000); ; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => null);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
