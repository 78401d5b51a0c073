import OpenAI from 'openai';
import sharp from 'sharp';
import type { CaricatureStyle } from '#shared/caricature';
import type { Config } from '../config/config.ts';
import {
  ArtistUnavailableError,
  CaricatureRefusedError,
  DRAWING_TIMEOUT_MS,
  type CaricatureArtist,
} from './caricature-generator.ts';
import { explainOpenaiError } from './openai-errors.ts';
import { composePrompt } from './openai-prompt.ts';

type OpenaiConfig = Extract<Config['caricatureArtist'], { kind: 'openai' }>;

/** The longer side of what is sent, in pixels. */
const SENT_SIDE = 1024;
const MAX_PIXELS = 100_000_000;
/** Far more than a picture of the largest size takes in base64. */
const ANSWER_MAX_BYTES = 64 * 1024 ** 2;

/** OpenAI's image model, asked to edit the photo. */
export function createOpenaiArtist(
  config: OpenaiConfig,
  { timeoutMs = DRAWING_TIMEOUT_MS, answerMaxBytes = ANSWER_MAX_BYTES } = {},
): CaricatureArtist {
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl,
    // Whoever asked tries again, and counts.
    maxRetries: 0,
    timeout: timeoutMs,
    // Its log has headers and bodies; and what is not given here, it reads from the environment.
    logLevel: 'off',
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    fetch: boundedFetch(answerMaxBytes),
  });

  return {
    name: 'openai',
    service: serviceAt(config.baseUrl),
    async draw(photo, style, signal) {
      const sent = await prepare(photo);
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const answer = await ask(sent, style, inTime);
      return readDrawing(answer.data?.[0]?.b64_json);
    },
    close: () => Promise.resolve(),
  };

  async function ask({ jpeg, size }: Prepared, style: CaricatureStyle, signal: AbortSignal) {
    try {
      return await client.images.edit(
        {
          model: config.model,
          prompt: composePrompt(style, config.prompt),
          image: new File([new Uint8Array(jpeg)], 'photo.jpg', { type: 'image/jpeg' }),
          size,
          ...(config.quality !== 'auto' && { quality: config.quality }),
          ...(config.inputFidelity !== 'auto' && { input_fidelity: config.inputFidelity }),
        },
        { signal },
      );
    } catch (error) {
      throw explainOpenaiError(error);
    }
  }
}

/** OpenAI, also where it keeps data in a region; any other by its host: no more is known of it. */
function serviceAt(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /(^|\.)api\.openai\.com$/.test(hostname) ? 'OpenAI' : hostname;
}

type Prepared = { jpeg: Buffer; size: '1024x1024' | '1536x1024' | '1024x1536' };

/** Made anew from the pixels: no metadata, and so no place, goes out. */
async function prepare(photo: Buffer): Promise<Prepared> {
  try {
    const { data, info } = await sharp(photo, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .toColorspace('srgb')
      .resize(SENT_SIDE, SENT_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true });
    return { jpeg: data, size: sizeLike(info) };
  } catch (error) {
    throw new CaricatureRefusedError('bad-input', `The photo cannot be read: ${String(error)}`, true);
  }
}

/** Of the sizes that the models offer, the one in the photo's shape. */
function sizeLike({ width, height }: { width: number; height: number }): Prepared['size'] {
  if (width > 1.2 * height) return '1536x1024';
  return height > 1.2 * width ? '1024x1536' : '1024x1024';
}

/** @throws ArtistUnavailableError when it is no picture */
async function readDrawing(base64: string | undefined): Promise<Buffer> {
  try {
    return await sharp(Buffer.from(base64 ?? '', 'base64'), { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .toColorspace('srgb')
      .png()
      .toBuffer();
  } catch {
    throw new ArtistUnavailableError('OpenAI answered with something that is no picture');
  }
}

/** Goes where it was sent and nowhere else, and reads no endless answer. */
function boundedFetch(maxBytes: number): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'error' });
    let left = maxBytes;
    const limited = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.length;
          if (left < 0) controller.error(new Error('The answer is too long'));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(limited ?? null, response);
  };
}
