import type * as z from 'zod/mini';
import { ALBUM_FULL, ApiErrorBody, SESSION_LOST, TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { takeEarlyResponse } from './early-response.ts';

export const UNREACHABLE = "Mems Are Forever can't be reached. Please check your connection and try again.";

const GATEWAY_STATUSES = [502, 503, 504];

/** A response that is not 2xx. The message is `status: body`, or `status: status text` if the body is empty. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Null if the body is not our server's. */
  readonly body: ApiErrorBody | null;
  /** Of a `Retry-After` header; null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, text: string, retryAfter: string | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.body = parseErrorBody(text);
    this.retryAfterSeconds = Number(retryAfter) || null;
  }
}

/** One page of a list. `next` is the path of the next page, null on the last. */
export interface Page<Items> {
  items: Items;
  next: string | null;
}

// The functions below throw an ApiError, or a ZodError if the response does not match the schema.

type Schema<Output> = z.ZodMiniType<Output>;

interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** FormData is sent as multipart, a Blob as its bytes, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export async function apiGet<Output>(path: string, schema: Schema<Output>, signal?: AbortSignal) {
  return parse(await send(path, { signal }), schema);
}

export async function apiGetPage<Output>(path: string, schema: Schema<Output>, signal?: AbortSignal) {
  const response = await send(path, { signal });
  return { items: await parse(response, schema), next: parseNextLink(response.headers.get('Link')) };
}

export async function apiGetAll<Item>(
  path: string,
  schema: Schema<Item[]>,
  signal: AbortSignal,
): Promise<Item[]> {
  const { items, next } = await apiGetPage(path, schema, signal);
  return next === null ? items : [...items, ...(await apiGetAll(next, schema, signal))];
}

export async function apiPost<Output>(
  path: string,
  body: unknown,
  schema: Schema<Output>,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Output> {
  return parse(await send(path, { method: 'POST', body, headers, signal }), schema);
}

export async function apiPut<Output>(
  path: string,
  body: unknown,
  schema: Schema<Output>,
  signal?: AbortSignal,
): Promise<Output> {
  return parse(await send(path, { method: 'PUT', body, signal }), schema);
}

export async function apiPatch<Output>(path: string, body: unknown, schema: Schema<Output>): Promise<Output> {
  return parse(await send(path, { method: 'PATCH', body }), schema);
}

export async function apiDelete(path: string, body?: unknown): Promise<void> {
  await send(path, { method: 'DELETE', body });
}

export async function apiGetBlob(path: string): Promise<Blob> {
  const response = await send(path);
  return response.blob();
}

/** Fails as a download would, without its bytes. */
export async function apiGetFirstByte(path: string): Promise<void> {
  await send(path, { headers: { Range: 'bytes=0-0' } });
}

export async function apiPostEmpty(path: string, body?: unknown): Promise<void> {
  await send(path, { method: 'POST', body });
}

export async function apiPatchEmpty(path: string, body: unknown): Promise<void> {
  await send(path, { method: 'PATCH', body });
}

/** The path in `Link: </api/memories?cursor=…>; rel="next"`, or null. */
export function parseNextLink(header: string | null): string | null {
  for (const link of header?.split(/,\s*(?=<)/) ?? []) {
    const match = /^\s*<([^>]*)>(.*)$/.exec(link);
    if (match?.[1] && /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(match[2] ?? ''))
      return match[1];
  }
  return null;
}

/** The server's message, to be shown; a text of ours if a proxy rejected the size of the request. */
export function serverMessage(error: unknown): string | undefined {
  if (isTooLargeForProxy(error)) return TOO_LARGE_FOR_SERVER;
  return error instanceof ApiError ? error.body?.message : undefined;
}

/** A 413 that is not our server's: nginx allows 1 MB unless it is told otherwise. */
export function isTooLargeForProxy(error: unknown): boolean {
  return error instanceof ApiError && error.status === 413 && error.body === null;
}

/** Unlike a photo that is too large, what the album has no room for fits once others are deleted for good. */
export function isAlbumFull(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === ALBUM_FULL;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** For deletions: 404 means that it was already deleted. @throws any other error */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

export function fieldMessage(error: unknown, name: string): string | undefined {
  return error instanceof ApiError ? error.body?.fields?.[name] : undefined;
}

/** By the code, or by the text where there is none. Not by the status: a failed login is a 401, too. */
export function isLostSession(error: unknown): boolean {
  if (error instanceof ApiError && error.body?.code) return error.body.code === SESSION_LOST;
  return error instanceof Error && /^401: .*Unauthorized/.test(error.message);
}

export function isUnreachable(error: unknown): boolean {
  // fetch throws it for network errors.
  if (error instanceof TypeError) return true;
  return error instanceof ApiError && error.body === null && GATEWAY_STATUSES.includes(error.status);
}

async function parse<Output>(response: Response, schema: Schema<Output>): Promise<Output> {
  return schema.parse(await response.json());
}

async function send(
  path: string,
  { method = 'GET', body, headers: more, signal }: RequestOptions = {},
): Promise<Response> {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const headers = new Headers({ Accept: 'application/json', 'X-Time-Zone': timeZone, ...more });
  // The browser sets the type of FormData, with its boundary, and that of a Blob.
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof Blob);
  if (isJson) headers.set('Content-Type', 'application/json');
  const early = method === 'GET' ? takeEarlyResponse(path) : undefined;
  const request =
    early ??
    fetch(path, {
      method,
      headers,
      credentials: 'include',
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      signal: signal ?? null,
    });
  const response = await request;
  if (!response.ok) {
    const text = (await response.text()) || response.statusText;
    throw new ApiError(response.status, text, response.headers.get('Retry-After'));
  }
  return response;
}

function parseErrorBody(text: string): ApiErrorBody | null {
  try {
    const parsed = ApiErrorBody.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
