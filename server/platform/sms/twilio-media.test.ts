import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MediaRejectedError } from './media-source.ts';
import type { MediaFault } from '../../testing/fakes/twilio-media.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../testing/fakes/twilio-server.ts';
import { createTwilioMedia, type TwilioMediaSettings } from './twilio-media.ts';

const { url: api, media } = await startTwilioServer();
const bytes = Buffer.from('not really a photo');
const address = media.attach(bytes, 'image/JPEG; name=a.jpg');

const settings: TwilioMediaSettings = {
  accountSid: TWILIO_ACCOUNT.sid,
  authToken: TWILIO_ACCOUNT.authToken,
  apiOrigin: () => api,
  mediaUrls: [media.cdnUrl, 'https://mms.twiliocdn.com'],
};
const overTwilio = createTwilioMedia(settings);

beforeEach(() => {
  media.requests.length = 0;
});

function download(source = overTwilio, url = address, signal = new AbortController().signal) {
  return source.download(url, signal);
}
const rejection = (reason: MediaRejectedError['reason']) => ({ name: 'MediaRejectedError', reason });

/** Something of this machine's own, which must never hear of it. */
async function startNeighbor() {
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  return { port: (server.address() as AddressInfo).port, calls: () => calls };
}
const neighbor = await startNeighbor();

describe('media of an SMS', () => {
  it('is downloaded from the redirect, and only the API gets the auth token', async () => {
    expect(await download()).toEqual({ bytes, contentType: 'image/jpeg' });
    expect(media.requests).toEqual([
      {
        host: 'api',
        path: new URL(address).pathname,
        authorization: expect.stringMatching(/^Basic /) as string,
      },
      { host: 'cdn', path: expect.stringContaining('Signature=') as string, authorization: undefined },
    ]);
  });

  it('is downloaded without authentication from a media host', async () => {
    const direct = `${media.cdnUrl}/${new URL(address).pathname.split('/').at(-1)}`;
    expect((await download(overTwilio, direct)).bytes).toEqual(bytes);
    expect(media.requests).toMatchObject([{ host: 'cdn', authorization: undefined }]);
  });

  it.each([[404], [410]])('is gone with %i', async (status) => {
    media.failNext({ status });
    await expect(download()).rejects.toMatchObject(rejection('gone'));
  });

  it('is gone when the API has no such media', async () => {
    await expect(download(overTwilio, `${address}9`)).rejects.toMatchObject(rejection('gone'));
  });

  it.each<[string, MediaFault]>([
    ['too many at once', { status: 429, headers: { 'Retry-After': '1' } }],
    ['a fault of Twilio’s', { status: 500 }],
    ['a fault of Twilio’s with words', { status: 503, body: '<html>' }],
    ['a redirect that leads nowhere', { status: 302 }],
    ['an answer without media', { status: 204 }],
    ['a part of it', { status: 206, body: 'half' }],
    ['less than was said', 'short'],
    ['a connection that breaks', 'cut'],
  ])('may come the next time after %s', async (_name, fault) => {
    media.failNext(fault);
    const error: unknown = await download().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(MediaRejectedError);
    expect((await download()).bytes).toEqual(bytes);
  });

  it('reports the settings, but not the auth token, when the API rejects the account', async () => {
    const stranger = createTwilioMedia({ ...settings, authToken: 'wrong-password' });
    const error: unknown = await download(stranger).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(MediaRejectedError);
    expect((error as Error).message).toContain('TWILIO_AUTH_TOKEN');
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/wrong-password|Basic/);
  });

  it('has the type of the header, or none', async () => {
    const mistyped = media.attach(Buffer.from('%PDF-1.7'), 'IMAGE/PNG');
    expect((await download(overTwilio, mistyped)).contentType).toBe('image/png');
    media.failNext({ status: 200, body: bytes });
    expect(await download()).toEqual({ bytes, contentType: '' });
  });

  it('is rejected when it is too large, by its header or while it is read', async () => {
    const small = createTwilioMedia(settings, { maxBytes: bytes.length - 1 });
    await expect(download(small)).rejects.toMatchObject(rejection('tooLarge'));
    // Who says so and then breaks off would otherwise be asked again.
    media.failNext({ status: 200, headers: { 'Content-Length': '99999999' }, body: 'a' }, 'endless');
    await expect(download()).rejects.toMatchObject(rejection('tooLarge'));
    await expect(download()).rejects.toMatchObject(rejection('tooLarge'));
    expect((await download(createTwilioMedia(settings, { maxBytes: bytes.length }))).bytes).toEqual(bytes);
  });

  it('has a timeout for the whole download', async () => {
    const impatient = createTwilioMedia(settings, { timeoutMs: 200 });
    for (const fault of ['silence', 'trickle'] as const) {
      media.failNext(fault);
      await expect(download(impatient)).rejects.toThrow('did not come within 200 ms');
    }
  });

  it('is aborted by the signal', async () => {
    const ended = new AbortController();
    media.failNext('silence');
    const downloading = download(overTwilio, address, ended.signal);
    await expect.poll(() => media.requests.length).toBe(1);
    ended.abort();
    await expect(downloading).rejects.toThrow('aborted');
    await expect(download(overTwilio, address, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('a media URL', () => {
  const forbidden = [
    'file:///etc/passwd',
    'ftp://mms.twiliocdn.com/photo',
    'http://mms.twiliocdn.com/photo',
    'https://mms.twiliocdn.com.evil.example/photo',
    'https://mms.twiliocdn.com:8443/photo',
    'https://someone@mms.twiliocdn.com/photo',
    'https://evil.example/photo',
    `http://127.0.0.1:${neighbor.port}/`,
    `http://localhost:${neighbor.port}/`,
    `http://2130706433:${neighbor.port}/`,
    `http://0x7f000001:${neighbor.port}/`,
    `http://[::ffff:127.0.0.1]:${neighbor.port}/`,
    `https://127.0.0.1:${neighbor.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `${api.replace('http:', 'https:')}/photo`,
    `${api.replace('//', '//someone:else@')}/photo`,
  ];

  it.each(forbidden)('is rejected: %s', async (url) => {
    await expect(download(overTwilio, url)).rejects.toMatchObject(rejection('forbiddenAddress'));
    expect(media.requests).toEqual([]);
    media.failNext({ redirect: url });
    await expect(download()).rejects.toMatchObject(rejection('forbiddenAddress'));
    expect(media.requests).toHaveLength(1);
    expect(neighbor.calls()).toBe(0);
  });

  it('is rejected if it is invalid', async () => {
    for (const none of ['', 'photo.jpg', '//mms.twiliocdn.com/photo'])
      await expect(download(overTwilio, none)).rejects.toMatchObject(rejection('forbiddenAddress'));
  });

  it('may redirect within the allowed hosts, up to a limit', async () => {
    media.failNext({ redirect: new URL(address).pathname }, { redirect: address });
    expect((await download()).bytes).toEqual(bytes);
    media.requests.length = 0;
    media.failNext(...Array<MediaFault>(9).fill({ redirect: address }));
    await expect(download()).rejects.toThrow('too often');
    expect(media.requests).toHaveLength(4);
  });

  it('is allowed only below the configured path', async () => {
    const within = createTwilioMedia({ ...settings, mediaUrls: [`${media.cdnUrl}/media`] });
    for (const path of ['/other/ME1', '/media/../other/ME1', '/media/%2e%2e/other', '/mediaelse/ME1'])
      await expect(download(within, media.cdnUrl + path)).rejects.toMatchObject(
        rejection('forbiddenAddress'),
      );
    expect(media.requests).toEqual([]);
  });

  it('is rejected if an allowed host resolves to this machine', async () => {
    const url = `https://localhost:${neighbor.port}`;
    const rebound = createTwilioMedia({ ...settings, mediaUrls: [url] });
    await expect(download(rebound, `${url}/photo`)).rejects.toMatchObject(rejection('forbiddenAddress'));
    expect(neighbor.calls()).toBe(0);
  });
});
