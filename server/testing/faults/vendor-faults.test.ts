import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProxy, type Proxy } from '../environment/proxy.ts';
import { startOpenaiServer, type TestOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import type { Vendors } from './operations/operation.ts';
import { runRound } from './run-round.ts';

const TIMEOUT_MS = 300_000;
const FAULT_MS = 1_000;
const PAUSE_MS = 500;

let openai: TestOpenaiServer;
let proxies: { twilio: Proxy; openai: Proxy };
let vendors: Vendors;
beforeAll(async () => {
  openai = await startOpenaiServer();
  const twilio = await startTwilioServer();
  proxies = { twilio: await startProxyOf(twilio.url), openai: await startProxyOf(openai.url) };
  const url = toProxy(twilio.url, proxies.twilio);
  const attach: typeof twilio.media.attach = (...media) =>
    toProxy(twilio.media.attach(...media), proxies.twilio);
  vendors = {
    twilio: { ...twilio, url, media: { ...twilio.media, attach } },
    openai: { ...openai, url: toProxy(openai.url, proxies.openai) },
  };
});
afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.close();
  await openai.close();
});

/** Of both vendors at the same time, until their proxies resume. */
const faults: [twilio: (proxy: Proxy) => number | void, openai: (proxy: Proxy) => void][] = [
  [(proxy) => proxy.fail('refused'), (proxy) => proxy.fail('refused')],
  [(proxy) => proxy.fail({ delayMs: FAULT_MS / 2 }), (proxy) => proxy.fail({ delayMs: FAULT_MS / 2 })],
  [(proxy) => proxy.stall(), (proxy) => proxy.stall()],
  [(proxy) => proxy.fail({ cutAfterBytes: 300 }), (proxy) => proxy.fail({ cutAfterBytes: 1_000 })],
];

describe('the app, whose vendors are down, then slow, then silent, then break off their responses', () => {
  it(
    'accepts all work, and finishes it afterwards without loss or repetition',
    async () => {
      const round = await runRound(vendors, async (installation) => {
        for (const [failTwilio, failOpenai] of faults) {
          await pause(PAUSE_MS);
          const broken = failTwilio(proxies.twilio) ?? 0;
          failOpenai(proxies.openai);
          const accepted = vendors.twilio.received.length;
          await pause(FAULT_MS);
          for (const proxy of Object.values(proxies)) proxy.resume();
          // Twilio has sent an SMS whose response is cut. It is sent again.
          installation.uncertainSends += broken + vendors.twilio.received.length - accepted;
        }
      });
      expect([round, ...round.operations].flatMap((each) => each.violations)).toEqual([]);
      expect(round.rejections).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

function startProxyOf(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  return startProxy({ host: hostname, port: Number(port) });
}

function toProxy(url: string, { port }: Proxy): string {
  return Object.assign(new URL(url), { port: String(port) }).href.replace(/\/$/, '');
}
