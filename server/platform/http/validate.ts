import type { Request } from 'express';
import * as z from 'zod/mini';
import { InvalidError, MalformedError, NotFoundError } from '../errors.ts';

const Id = z.uuid();

/** The id in the path. @throws NotFoundError for a malformed one */
export function idParam(request: Request, name = 'id'): string {
  const id = Id.safeParse(request.params[name]);
  if (!id.success) throw new NotFoundError();
  return id.data;
}

/** The token in the path; empty if malformed. */
export function tokenParam(request: Request): string {
  const { token } = request.params;
  return typeof token === 'string' && /^[\w-]{1,100}$/.test(token) ? token : '';
}

/** @throws MalformedError unless the body is an object, InvalidError naming each wrong field */
export function parseBody<Schema extends z.ZodMiniType>(request: Request, schema: Schema): z.output<Schema> {
  const body: unknown = request.body;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new MalformedError('Please send a JSON object.');
  }
  return parseFields(body, schema);
}

export function parseOptionalBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): z.output<Schema> {
  return request.body === undefined ? parseFields({}, schema) : parseBody(request, schema);
}

/** @throws InvalidError naming each wrong field */
export function parseQuery<Schema extends z.ZodMiniType>(request: Request, schema: Schema): z.output<Schema> {
  return parseFields(request.query, schema);
}

function parseFields<Schema extends z.ZodMiniType>(input: object, schema: Schema): z.output<Schema> {
  const unstorable = unstorableFields(input);
  if (Object.keys(unstorable).length > 0) throw invalid(unstorable);
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues)
    fields[issue.path.map(String).join('.') || 'body'] ??= issue.message;
  throw invalid(fields);
}

function invalid(fields: Record<string, string>): InvalidError {
  return new InvalidError(Object.values(fields)[0] ?? 'Please check what you entered.', fields);
}

/** Fields that Postgres cannot store: with a NUL or an unpaired surrogate. */
function unstorableFields(input: object): Record<string, string> {
  const found = Object.entries(input).filter(([key, value]) => !isStorable(key) || !isStorable(value));
  return Object.fromEntries(found.map(([key]) => [key, 'Please remove invalid characters.']));
}

/** No request of ours nests. Deeper input is an attempt to overflow the stack. */
const MAX_DEPTH = 20;

export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each, depth + 1));
}
