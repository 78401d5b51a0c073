import { inspect } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CaricatureStyle } from '#shared/album/caricature';
import { GeneratorUnavailableError } from './caricature-generator.ts';
import { OPENAI_KEY, startOpenaiServer } from '../../testing/fakes/openai-server.ts';
import { colorAt, makeHeavyPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { createOpenaiCaricatureGenerator } from './openai-caricature-generator.ts';

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
const generator = createOpenaiCaricatureGenerator(config);
const never = new AbortController().signal;
const photo = await makePhoto({ width: 300, height: 200, orientation: 6 });

const generate = (changes: Partial<typeof config> = {}, options = {}) =>
  createOpenaiCaricatureGenerator({ ...config, ...changes }, options).generate(photo, 'comic', never);
const errorOf = async (call: Promise<Buffer>) =>
  (await call.catch((error: unknown) => error)) as Error & Record<string, unknown>;

describe('the name of the service', () => {
  it.each([
    ['https://api.openai.com/v1', 'OpenAI'],
    ['https://eu.api.openai.com/v1', 'OpenAI'],
    ['https://API.OpenAI.com/v1', 'OpenAI'],
    ['https://api.openai.com.evil.example/v1', 'api.openai.com.evil.example'],
    ['https://notapi.openai.com/v1', 'notapi.openai.com'],
    ['https://mems.openai.azure.com/openai/v1', 'mems.openai.azure.com'],
    ['http://user:secret@images.example:8080/v1', 'images.example'],
  ])('at %s is %s', (baseUrl, service) => {
    expect(createOpenaiCaricatureGenerator({ ...config, baseUrl }).service).toBe(service);
  });
});

describe('a photo sent to OpenAI', () => {
  it('returns a PNG', async () => {
    const result = await generator.generate(photo, 'comic', never);
    expect(await sharp(result).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 });
    expect(await sharp(result).metadata()).not.toHaveProperty('exif');
  });

  it('is upright, at most 1024 pixels wide and high, without metadata', async () => {
    await generator.generate(photo, 'comic', never);
    await generator.generate(await makeHeavyPhoto(1100, 2000), 'comic', never);
    const [small, large] = server.received.map(({ image }) => image);
    expect(await sharp(small).metadata()).toMatchObject({ width: 300, height: 200 });
    expect(await colorAt(small!, 0.5, 0.1)).toBe('red');
    expect(await sharp(large).metadata()).toMatchObject({ format: 'jpeg', width: 563, height: 1024 });
    for (const image of [small, large]) expect(await sharp(image).metadata()).not.toHaveProperty('exif');
  });

  it('is sent with the model, quality, fidelity and closest size', async () => {
    const shapes = [
      { width: 300, height: 200 },
      { width: 200, height: 300 },
      { width: 300, height: 290 },
    ];
    for (const shape of shapes) await generator.generate(await makePhoto(shape), 'comic', never);
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

  it('is sent with a prompt for each style that keeps the animal’s features and forbids text', async () => {
    for (const style of CaricatureStyle.options) await generator.generate(photo, style, never);
    const prompts = server.received.map(({ fields }) => fields['prompt']);
    expect(new Set(prompts).size).toBe(4);
    for (const prompt of prompts) {
      expect(prompt).toMatch(/coat.*markings|markings.*coat/);
      expect(prompt).toMatch(/eyes.*No text/);
      expect(prompt).not.toContain('{style}');
    }
  });

  it('is sent with the configured prompt and without options set to auto', async () => {
    await createOpenaiCaricatureGenerator({
      ...config,
      model: 'gpt-image-1-mini',
      quality: 'auto',
      inputFidelity: 'auto',
      prompt: 'A hero, as {style}!',
    }).generate(photo, 'pencil', never);
    expect(server.received[0]?.fields['prompt']).toMatch(/^A hero, as .*pencil.*!$/);
    expect(server.received[0]?.fields).not.toHaveProperty('quality');
  });

  it('waits for a slow response', async () => {
    server.respondNext('held');
    const result = generator.generate(photo, 'comic', never);
    await expect.poll(() => server.received.length).toBe(1);
    server.release();
    expect((await sharp(await result).metadata()).format).toBe('png');
  });

  it('is rejected before sending when it is not an image', async () => {
    const error = await errorOf(generator.generate(Buffer.from('<html>'), 'comic', never));
    expect(error).toMatchObject({ name: 'CaricatureRejectedError', reason: 'bad-input' });
    expect(server.received).toEqual([]);
  });
});

describe('permanent errors', () => {
  it.each([
    ['moderation', { status: 400, code: 'moderation_blocked', type: 'image_generation_user_error' }],
    ['moderation', { status: 400, code: null, message: 'Rejected as a result of our safety system.' }],
    ['no-credit', { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' }],
    ['no-credit', { status: 400, code: 'billing_hard_limit_reached' }],
    ['bad-key', { status: 403, code: 'unsupported_country_region_territory' }],
    ['bad-input', { status: 400, code: 'invalid_image_file' }],
    ['bad-input', { status: 413 }],
  ])('have the reason %s: %o', async (reason, response) => {
    server.respondNext(response);
    expect(await errorOf(generate())).toMatchObject({ name: 'CaricatureRejectedError', reason });
  });

  it.each([{ model: 'gpt-5' }, { model: 'gpt-image-1-mini' }, { baseUrl: server.url.replace('v1', 'v2') }])(
    'have the reason bad-key for wrong settings: %o',
    async (changes) => {
      expect(await errorOf(generate(changes))).toMatchObject({ reason: 'bad-key' });
    },
  );
});

describe('temporary errors', () => {
  it.each([
    ['60', 60],
    ['0.4', 1],
    ['soon', null],
  ])('parse Retry-After of a 429: %s', async (header, retryAfterSeconds) => {
    server.respondNext({ status: 429, code: 'rate_limit_exceeded', headers: { 'Retry-After': header } });
    const error = await errorOf(generate());
    expect(error).toBeInstanceOf(GeneratorUnavailableError);
    expect(error).toMatchObject({ retryAfterSeconds });
  });

  it.each([
    ['a server error', { status: 500, type: 'server_error' }],
    [
      'a 503 with a date in Retry-After',
      { status: 503, headers: { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
    ],
    ['a proxy’s HTML page', { status: 502, html: '<html>Bad Gateway</html>' }],
    ['an HTML page with status 200', { status: 200, html: '<html>Sign in</html>' }],
    ['a redirect', { status: 307, headers: { Location: '/v1/images/edits' } }],
    ['a broken connection', 'cut'],
    ['a response without an image', 'no-data'],
    ['invalid image data', 'no-picture'],
  ] as const)('include %s, without a retry', async (_name, response) => {
    const before = server.calls();
    server.respondNext(response);
    expect(await errorOf(generate())).toBeInstanceOf(GeneratorUnavailableError);
    expect(server.calls()).toBe(before + 1);
  });

  it.each([
    ['a server error', { status: 500 }],
    ['a gateway timeout', { status: 504, html: '<html>Gateway Timeout</html>' }],
    ['a finished image declined by moderation', { status: 400, code: 'moderation_blocked' }],
    ['a broken connection', 'cut'],
    ['a response without an image', 'no-data'],
    ['invalid image data', 'no-picture'],
  ] as const)('may have been charged: %s', async (_name, response) => {
    server.respondNext(response);
    expect(await errorOf(generate())).toMatchObject({ isFree: false });
  });

  it('are free when the request was rejected at once or never sent', async () => {
    for (const response of [{ status: 429 }, { status: 401 }, { status: 400, code: 'invalid_image_file' }]) {
      server.respondNext(response);
      expect(await errorOf(generate())).toMatchObject({ isFree: true });
    }
    const closed = await startOpenaiServer();
    await closed.close();
    expect(await errorOf(generate({ baseUrl: closed.url }))).toMatchObject({ isFree: true });
    expect(await errorOf(generator.generate(Buffer.from('<html>'), 'comic', never))).toMatchObject({
      isFree: true,
    });
  });

  it('include a timeout, before and within the response', async () => {
    for (const response of ['silence', 'endless'] as const) {
      server.respondNext(response);
      expect(await errorOf(generate({}, { timeoutMs: 300 }))).toBeInstanceOf(GeneratorUnavailableError);
    }
  });

  it('include a response above the size limit', async () => {
    expect(await errorOf(generate({}, { maxResponseBytes: 1000 }))).toBeInstanceOf(GeneratorUnavailableError);
  });

  it('include an aborted signal', async () => {
    server.respondNext('silence');
    const controller = new AbortController();
    const result = errorOf(generator.generate(photo, 'comic', controller.signal));
    await expect.poll(() => server.received.length).toBe(1);
    controller.abort();
    expect(await result).toBeInstanceOf(GeneratorUnavailableError);
  });
});

it('never includes the API key in an error', async () => {
  const apiKey = 'sk_proj_wrong_key_9876543210';
  for (const changes of [{ apiKey }, { apiKey, baseUrl: 'http://127.0.0.1:1/v1' }]) {
    const error = await errorOf(generate(changes));
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/9876|Bearer/);
  }
  server.respondNext({ status: 500, code: OPENAI_KEY, message: OPENAI_KEY });
  expect(inspect(await errorOf(generate()), { depth: Infinity, showHidden: true })).not.toContain(OPENAI_KEY);
});

it('reports a wrong key as permanent', async () => {
  expect(await errorOf(generate({ apiKey: 'sk-wrong' }))).toMatchObject({ reason: 'bad-key' });
});
