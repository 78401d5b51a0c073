import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

export const OPENAI_KEY = 'sk-proj-for-tests-only-0123456789';

/** An accepted request. */
export type ImageEdit = { fields: Record<string, string>; image: Buffer };

/** Instead of a picture. `held`: a picture once `release` is called; `no-picture`: bytes that are no image. */
export type OpenaiResponse =
  | {
      status: number;
      code?: string | null;
      type?: string;
      message?: string;
      headers?: Record<string, string>;
    }
  | { status: number; html: string }
  | 'held'
  | 'no-picture'
  | 'no-data'
  | 'silence'
  | 'endless'
  | 'cut';

export type TestOpenaiServer = {
  /** The base URL of the API. */
  url: string;
  /** All calls, failed ones included. */
  calls(): number;
  received: ImageEdit[];
  /** Responses to the next calls, one each. The default is a picture. */
  respondNext(...responses: OpenaiResponse[]): void;
  /** Responds to all held calls. */
  release(): void;
  close(): Promise<void>;
};

const SIZES = ['auto', '1024x1024', '1536x1024', '1024x1536'];
const QUALITIES = ['auto', 'low', 'medium', 'high'];
const FIDELITIES = ['low', 'high'];
const IMAGE_TYPES: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
};
const IMAGE_MAX_BYTES = 50 * 1024 ** 2;

/** 400 with the name of the invalid parameter. */
class InvalidRequest extends Error {
  constructor(
    readonly param: string,
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

/** OpenAI's `POST /v1/images/edits`, per its public reference. Also rejects photos that still have metadata. */
export async function startOpenaiServer(key = OPENAI_KEY): Promise<TestOpenaiServer> {
  const received: ImageEdit[] = [];
  const responses: OpenaiResponse[] = [];
  let calls = 0;
  let held: (() => void)[] = [];

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => sendInvalid(response, error));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls++;
    const body = await buffer(request);
    if (request.method !== 'POST' || request.url !== '/v1/images/edits')
      return sendError(response, 404, { message: 'Invalid URL', code: null });
    if (request.headers.authorization !== `Bearer ${key}`) return sendWrongKey(request, response);
    const edit = await readEdit(body, request.headers['content-type']);
    const next = responses.shift();
    // A rejected request does not count as received.
    if (typeof next === 'object') return fail(response, next);
    received.push(edit);
    switch (next) {
      case undefined:
        break;
      case 'cut':
        return void response.destroy();
      case 'silence':
        return;
      case 'endless':
        return pour(response);
      case 'no-data':
        return sendJson(response, 200, { created: 0, data: [] });
      case 'no-picture':
        return sendPicture(response, edit, Buffer.from('This is no picture'));
      case 'held':
        await new Promise<void>((resolve) => held.push(resolve));
    }
    return sendPicture(response, edit, await pictureFor(edit));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: () => calls,
    received,
    respondNext: (...next) => void responses.push(...next),
    release: () => {
      for (const go of held) go();
      held = [];
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** @throws InvalidRequest */
async function readEdit(body: Buffer, contentType = ''): Promise<ImageEdit> {
  if (!contentType.startsWith('multipart/form-data'))
    throw new InvalidRequest('', 'unsupported_content_type', 'Expected multipart/form-data');
  const form = await new Response(new Uint8Array(body), {
    headers: { 'Content-Type': contentType },
  }).formData();
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  for (const name of ['model', 'prompt'])
    if (!fields[name]) throw new InvalidRequest(name, 'missing_required_parameter', `Missing: '${name}'.`);
  if (fields['prompt']!.length > 32_000)
    throw new InvalidRequest('prompt', 'string_above_max_length', 'Too long');
  if (!fields['model']!.startsWith('gpt-image-'))
    throw new InvalidRequest('model', 'invalid_value', `Invalid value: '${fields['model']}'.`);
  allow('size', SIZES);
  allow('quality', QUALITIES);
  allow('input_fidelity', fields['model'] === 'gpt-image-1-mini' ? [] : FIDELITIES);
  const file = form.get('image');
  if (!(file instanceof File))
    throw new InvalidRequest('image', 'missing_required_parameter', "Missing: 'image'.");
  return { fields, image: await readImage(file) };

  function allow(name: string, values: string[]): void {
    const value = fields[name];
    if (value !== undefined && !values.includes(value))
      throw new InvalidRequest(name, 'invalid_value', `Invalid value: '${value}'.`);
  }
}

async function readImage(file: File): Promise<Buffer> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const invalid = (message: string) => new InvalidRequest('image', 'invalid_image_file', message);
  if (bytes.length > IMAGE_MAX_BYTES) throw invalid('Too large');
  const { format, exif, xmp, iptc } = await sharp(bytes)
    .metadata()
    .catch(() => {
      throw invalid('Invalid image file');
    });
  if (IMAGE_TYPES[file.type] !== format) throw invalid(`A ${format} sent as ${file.type}`);
  if (exif ?? xmp ?? iptc) throw invalid('It has metadata');
  // Decodes every row.
  await sharp(bytes).stats();
  return bytes;
}

/** The photo in inverted colors, in the requested size. */
function pictureFor({ fields, image }: ImageEdit): Promise<Buffer> {
  const [width, height] = (fields['size'] ?? '1024x1024').split('x').map(Number);
  return sharp(image)
    .resize(width ?? 1024, height ?? 1024)
    .negate()
    .png()
    .toBuffer();
}

function sendPicture(response: ServerResponse, { fields }: ImageEdit, picture: Buffer): void {
  sendJson(response, 200, {
    created: Math.floor(Date.now() / 1000),
    background: 'opaque',
    data: [{ b64_json: picture.toString('base64') }],
    output_format: 'png',
    quality: fields['quality'] ?? 'auto',
    size: fields['size'] ?? '1024x1024',
    usage: {
      total_tokens: 1_700,
      input_tokens: 644,
      output_tokens: 1_056,
      input_tokens_details: { text_tokens: 96, image_tokens: 548 },
    },
  });
}

/** Like OpenAI, repeats the key in the message. */
function sendWrongKey(request: IncomingMessage, response: ServerResponse): void {
  const sent = request.headers.authorization?.replace('Bearer ', '') ?? '';
  sendError(response, 401, { message: `Incorrect API key provided: ${sent}.`, code: 'invalid_api_key' });
}

function fail(response: ServerResponse, failure: Extract<OpenaiResponse, { status: number }>): void {
  if ('html' in failure)
    return void response.writeHead(failure.status, { 'Content-Type': 'text/html' }).end(failure.html);
  const { status, headers, ...error } = failure;
  sendError(response, status, error, headers);
}

function sendInvalid(response: ServerResponse, error: unknown): void {
  if (error instanceof InvalidRequest) sendError(response, 400, error);
  else sendError(response, 500, { message: String(error), type: 'server_error' });
}

function sendError(
  response: ServerResponse,
  status: number,
  error: { message?: string; type?: string; param?: string | null; code?: string | null },
  headers: Record<string, string> = {},
): void {
  const { message = 'Something is wrong', type = 'invalid_request_error', param = null, code = null } = error;
  sendJson(response, status, { error: { message, type, param, code } }, headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'x-request-id': 'req_0123456789', ...headers })
    .end(JSON.stringify(body));
}

/** Byte by byte, so that no idle timeout fires. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
