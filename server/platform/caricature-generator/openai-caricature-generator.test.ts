import { inspect } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CaricatureStyle } from '#shared/caricature';
import { ArtistUnavailableError } from './caricature-generator.ts';
import { OPENAI_KEY, startOpenaiServer } from '../../testing/openai-server.ts';
import { colorAt, makeHeavyPhoto, makePhoto } from '../../testing/photos.ts';
import { createOpenaiArtist } from './openai-caricature-generator.ts';

const server = await startOpenaiServer();
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
});

const config = {
  kind: 'openai' as const,
  apiKey: OPENAI_KEY,
  baseUrl: server.url,
  model: 'gpt-image-1.5',
  quality: 'medium' as const,
  inputFidelity: 'high' as const,
  prompt: null,
};
const artist = createOpenaiArtist(config);
const never = new AbortController().signal;
const photo = await makePhoto({ width: 300, height: 200, orientation: 6 });

const drawn = (changes: Partial<typeof config> = {}, options = {}) =>
  createOpenaiArtist({ ...config, ...changes }, options).draw(photo, 'comic', never);
const failure = async (drawing: Promise<Buffer>) =>
  (await drawing.catch((error: unknown) => error)) as Error & Record<string, unknown>;

describe('the service that photos go to', () => {
  it.each([
    ['https://api.openai.com/v1', 'OpenAI'],
    ['https://eu.api.openai.com/v1', 'OpenAI'],
    ['https://API.OpenAI.com/v1', 'OpenAI'],
    ['https://api.openai.com.evil.example/v1', 'api.openai.com.evil.example'],
    ['https://notapi.openai.com/v1', 'notapi.openai.com'],
    ['https://mems.openai.azure.com/openai/v1', 'mems.openai.azure.com'],
    ['http://user:secret@images.example:8080/v1', 'images.example'],
  ])('at %s is told as %s', (baseUrl, service) => {
    expect(createOpenaiArtist({ ...config, baseUrl }).service).toBe(service);
  });
});

describe('a photo sent to OpenAI', () => {
  it('comes back as a PNG', async () => {
    const drawing = await artist.draw(photo, 'comic', never);
    expect(await sharp(drawing).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 });
    expect(await sharp(drawing).metadata()).not.toHaveProperty('exif');
  });

  it('is upright, has no metadata and at most 1024 pixels', async () => {
    await artist.draw(photo, 'comic', never);
    await artist.draw(await makeHeavyPhoto(1100, 2000), 'comic', never);
    const [small, large] = server.received.map(({ image }) => image);
    expect(await sharp(small).metadata()).toMatchObject({ width: 300, height: 200 });
    expect(await colorAt(small!, 0.5, 0.1)).toBe('red');
    expect(await sharp(large).metadata()).toMatchObject({ format: 'jpeg', width: 563, height: 1024 });
    for (const image of [small, large]) expect(await sharp(image).metadata()).not.toHaveProperty('exif');
  });

  it('goes with the model, the quality and the size in its shape', async () => {
    const shapes = [
      { width: 300, height: 200 },
      { width: 200, height: 300 },
      { width: 300, height: 290 },
    ];
    for (const shape of shapes) await artist.draw(await makePhoto(shape), 'comic', never);
    expect(server.received.map(({ fields }) => fields['size'])).toEqual([
      '1536x1024',
      '1024x1536',
      '1024x1024',
    ]);
    expect(server.received[0]?.fields).toMatchObject({
      model: 'gpt-image-1.5',
      quality: 'medium',
      input_fidelity: 'high',
    });
  });

  it('goes with words for each style that keep the animal and ask for no text', async () => {
    for (const style of CaricatureStyle.options) await artist.draw(photo, style, never);
    const prompts = server.received.map(({ fields }) => fields['prompt']);
    expect(new Set(prompts).size).toBe(4);
    for (const prompt of prompts) {
      expect(prompt).toMatch(/coat.*markings|markings.*coat/);
      expect(prompt).toMatch(/eyes.*No text/);
      expect(prompt).not.toContain('{style}');
    }
  });

  it('goes with the installation’s own words, and without what its model does not know', async () => {
    await createOpenaiArtist({
      ...config,
      model: 'gpt-image-1-mini',
      quality: 'auto',
      inputFidelity: 'auto',
      prompt: 'A hero, as {style}!',
    }).draw(photo, 'pencil', never);
    expect(server.received[0]?.fields['prompt']).toMatch(/^A hero, as .*pencil.*!$/);
    expect(server.received[0]?.fields).not.toHaveProperty('quality');
  });

  it('is waited for while it is drawn', async () => {
    server.answerNext('held');
    const drawing = artist.draw(photo, 'comic', never);
    await expect.poll(() => server.received.length).toBe(1);
    server.release();
    expect((await sharp(await drawing).metadata()).format).toBe('png');
  });

  it('is refused for good before it is sent when it is no picture', async () => {
    const error = await failure(artist.draw(Buffer.from('<html>'), 'comic', never));
    expect(error).toMatchObject({ name: 'CaricatureRefusedError', reason: 'bad-input' });
    expect(server.received).toEqual([]);
  });
});

describe('what OpenAI refuses for good', () => {
  it.each([
    ['moderation', { status: 400, code: 'moderation_blocked', type: 'image_generation_user_error' }],
    ['moderation', { status: 400, code: null, message: 'Rejected as a result of our safety system.' }],
    ['no-credit', { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' }],
    ['no-credit', { status: 400, code: 'billing_hard_limit_reached' }],
    ['bad-key', { status: 403, code: 'unsupported_country_region_territory' }],
    ['bad-input', { status: 400, code: 'invalid_image_file' }],
    ['bad-input', { status: 413 }],
  ])('says why: %s (%o)', async (reason, answer) => {
    server.answerNext(answer);
    expect(await failure(drawn())).toMatchObject({ name: 'CaricatureRefusedError', reason });
  });

  it.each([{ model: 'gpt-5' }, { model: 'gpt-image-1-mini' }, { baseUrl: server.url.replace('v1', 'v2') }])(
    'is a matter of our settings when they are wrong: %o',
    async (changes) => {
      expect(await failure(drawn(changes))).toMatchObject({ reason: 'bad-key' });
    },
  );
});

describe('what OpenAI does not do this time', () => {
  it.each([
    ['60', 60],
    ['0.4', 1],
    ['soon', null],
  ])('waits as long as a 429 asks for: %s', async (header, retryAfterSeconds) => {
    server.answerNext({ status: 429, code: 'rate_limit_exceeded', headers: { 'Retry-After': header } });
    const error = await failure(drawn());
    expect(error).toBeInstanceOf(ArtistUnavailableError);
    expect(error).toMatchObject({ retryAfterSeconds });
  });

  it.each([
    ['a fault of its own', { status: 500, type: 'server_error' }],
    [
      'too much to do, until a date',
      { status: 503, headers: { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
    ],
    ['a proxy’s page', { status: 502, html: '<html>Bad Gateway</html>' }],
    ['a page that says it is a success', { status: 200, html: '<html>Sign in</html>' }],
    ['a redirect', { status: 307, headers: { Location: '/v1/images/edits' } }],
    ['a connection that breaks', 'cut'],
    ['an answer without a picture', 'no-data'],
    ['a body that is no image', 'no-picture'],
  ] as const)('is no refusal, and asked once: %s', async (_name, answer) => {
    const before = server.calls();
    server.answerNext(answer);
    expect(await failure(drawn())).toBeInstanceOf(ArtistUnavailableError);
    expect(server.calls()).toBe(before + 1);
  });

  it.each([
    ['a fault of its own', { status: 500 }],
    ['a gateway that waited', { status: 504, html: '<html>Gateway Timeout</html>' }],
    ['a finished picture that it declines', { status: 400, code: 'moderation_blocked' }],
    ['a connection that breaks', 'cut'],
    ['an answer without a picture', 'no-data'],
    ['a body that is no image', 'no-picture'],
  ] as const)('may be paid all the same: %s', async (_name, answer) => {
    server.answerNext(answer);
    expect(await failure(drawn())).toMatchObject({ isFree: false });
  });

  it('is certainly not paid when it refused at once, or was never reached', async () => {
    for (const answer of [{ status: 429 }, { status: 401 }, { status: 400, code: 'invalid_image_file' }]) {
      server.answerNext(answer);
      expect(await failure(drawn())).toMatchObject({ isFree: true });
    }
    const closed = await startOpenaiServer();
    await closed.close();
    expect(await failure(drawn({ baseUrl: closed.url }))).toMatchObject({ isFree: true });
    expect(await failure(artist.draw(Buffer.from('<html>'), 'comic', never))).toMatchObject({ isFree: true });
  });

  it('waits no longer than it may, neither for an answer nor for its end', async () => {
    for (const answer of ['silence', 'endless'] as const) {
      server.answerNext(answer);
      expect(await failure(drawn({}, { timeoutMs: 300 }))).toBeInstanceOf(ArtistUnavailableError);
    }
  });

  it('reads no endless picture', async () => {
    expect(await failure(drawn({}, { answerMaxBytes: 1000 }))).toBeInstanceOf(ArtistUnavailableError);
  });

  it('ends with the signal', async () => {
    server.answerNext('silence');
    const patience = new AbortController();
    const drawing = failure(artist.draw(photo, 'comic', patience.signal));
    await expect.poll(() => server.received.length).toBe(1);
    patience.abort();
    expect(await drawing).toBeInstanceOf(ArtistUnavailableError);
  });
});

it('tells nobody its key, whatever fails', async () => {
  const apiKey = 'sk_proj_wrong_key_9876543210';
  for (const changes of [{ apiKey }, { apiKey, baseUrl: 'http://127.0.0.1:1/v1' }]) {
    const error = await failure(drawn(changes));
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/9876|Bearer/);
  }
  server.answerNext({ status: 500, code: OPENAI_KEY, message: OPENAI_KEY });
  expect(inspect(await failure(drawn()), { depth: Infinity, showHidden: true })).not.toContain(OPENAI_KEY);
});

it('is refused for good with a wrong key', async () => {
  expect(await failure(drawn({ apiKey: 'sk-wrong' }))).toMatchObject({ reason: 'bad-key' });
});
