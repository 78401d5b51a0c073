import OpenAI from 'openai';
import sharp from 'sharp';
import type { CaricatureStyle } from '#shared/album/caricature';
import type { Config } from '../config/config.ts';
import {
  GeneratorUnavailableError,
  CaricatureRejectedError,
  GENERATION_TIMEOUT_MS,
  type CaricatureGenerator,
} from './caricature-generator.ts';
import { timeoutSignal } from '../time/timeout-signal.ts';
import { toCaricatureError } from './openai-errors.ts';

type OpenaiConfig = Extract<Config['caricatureGenerator'], { kind: 'openai' }>;

/** The longer side of what is sent, in pixels. */
const SENT_SIDE = 1024;
const MAX_PIXELS = 100_000_000;
/** Far above the largest image in base64. */
const MAX_RESPONSE_BYTES = 64 * 1024 ** 2;

const STYLE_DESCRIPTIONS: Record<CaricatureStyle, string> = {
  comic: 'a comic book: bold black ink outlines, flat bright colors, few tones',
  watercolour:
    'a watercolor painting: soft wet edges, pigment that bleeds, white paper left around the animal',
  pencil: 'a graphite pencil sketch: fine strokes that follow the fur or feathers, light paper, no color',
  'pop-art': 'sixties pop art: halftone dots, thick outlines, four strong flat colors',
};

const DEFAULT_PROMPT = [
  'Turn this photo into a warm, funny caricature of the animal in it, drawn as {style}.',
  'Exaggerate its expression and its most typical features a little, lovingly.',
  'It must be recognized as this very animal: keep its species and breed, the colors and markings of its coat,',
  'the color of its eyes, its pose, and a collar if it wears one.',
  'Keep the background simple. No text, letters, captions, signatures, frames or speech balloons.',
].join(' ');

/** Asks OpenAI's image model to edit the photo. */
export function createOpenaiCaricatureGenerator(
  config: OpenaiConfig,
  { timeoutMs = GENERATION_TIMEOUT_MS, maxResponseBytes = MAX_RESPONSE_BYTES } = {},
): CaricatureGenerator {
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl,
    // The job retries, and counts each call against the monthly limit.
    maxRetries: 0,
    timeout: timeoutMs,
    // The client logs headers and bodies, and reads options that are missing here from the environment.
    logLevel: 'off',
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    fetch: createLimitedFetch(maxResponseBytes),
  });

  return {
    name: 'openai',
    service: serviceName(config.baseUrl),
    async generate(photo, style, signal) {
      const upload = await prepareUpload(photo);
      const response = await edit(upload, style, timeoutSignal(timeoutMs, signal));
      return toPng(response.data?.[0]?.b64_json);
    },
    close: () => Promise.resolve(),
  };

  async function edit({ jpeg, size }: Upload, style: CaricatureStyle, signal: AbortSignal) {
    try {
      return await client.images.edit(
        {
          model: config.model,
          // A function, since `$` in a replacement string is special.
          prompt: (config.prompt ?? DEFAULT_PROMPT).replaceAll('{style}', () => STYLE_DESCRIPTIONS[style]),
          image: new File([new Uint8Array(jpeg)], 'photo.jpg', { type: 'image/jpeg' }),
          size,
          ...(config.quality !== 'auto' && { quality: config.quality }),
          ...(config.inputFidelity !== 'auto' && { input_fidelity: config.inputFidelity }),
        },
        { signal },
      );
    } catch (error) {
      throw toCaricatureError(error);
    }
  }
}

/** Regional OpenAI hosts are OpenAI too; a compatible service is named by its host. */
function serviceName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /(^|\.)api\.openai\.com$/.test(hostname) ? 'OpenAI' : hostname;
}

type Upload = { jpeg: Buffer; size: '1024x1024' | '1536x1024' | '1024x1536' };

/** Re-encoded from the pixels, so that no metadata (such as the location) is sent. */
async function prepareUpload(photo: Buffer): Promise<Upload> {
  try {
    const { data, info } = await sharp(photo, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .toColorspace('srgb')
      .resize(SENT_SIDE, SENT_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true });
    return { jpeg: data, size: outputSize(info) };
  } catch (error) {
    throw new CaricatureRejectedError('bad-input', `The photo cannot be read: ${String(error)}`, true);
  }
}

/** The offered size that is closest to the photo's aspect ratio. */
function outputSize({ width, height }: { width: number; height: number }): Upload['size'] {
  if (width > 1.2 * height) return '1536x1024';
  return height > 1.2 * width ? '1024x1536' : '1024x1024';
}

/** @throws GeneratorUnavailableError for invalid image data */
async function toPng(base64: string | undefined): Promise<Buffer> {
  try {
    return await sharp(Buffer.from(base64 ?? '', 'base64'), { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .toColorspace('srgb')
      .png()
      .toBuffer();
  } catch {
    throw new GeneratorUnavailableError('OpenAI returned invalid image data');
  }
}

/** Follows no redirects, and aborts responses above the limit. */
function createLimitedFetch(maxBytes: number): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'error' });
    let remaining = maxBytes;
    const limited = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          remaining -= chunk.length;
          if (remaining < 0) controller.error(new Error('The response is too large'));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(limited ?? null, response);
  };
}
