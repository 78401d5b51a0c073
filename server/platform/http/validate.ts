import type { Request } from 'express';
import * as z from 'zod/mini';
import { InvalidError, MalformedError, NotFoundError } from '../errors.ts';

const Id = z.uuid();

/** The id in the path. A malformed one is nobody's: 404. */
export function idParam(request: Request, name = 'id'): string {
  const id = Id.safeParse(request.params[name]);
  if (!id.success) throw new NotFoundError();
  return id.data;
}

/** The token in the path, which is the proof of whoever has it. A malformed one is nobody's. */
export function tokenParam(request: Request): string {
  const { token } = request.params;
  return typeof token === 'string' && /^[\w-]{1,100}$/.test(token) ? token : '';
}

/** The JSON body as its schema has it. @throws MalformedError for no object, InvalidError naming each wrong field */
export function parseBody<Schema extends z.ZodMiniType>(request: Request, schema: Schema): z.output<Schema> {
  const body: unknown = request.body;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new MalformedError('Please send a JSON object.');
  }
  return parseFields(body, schema);
}

/** The same for a call whose body may be absent. */
export function parseOptionalBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): z.output<Schema> {
  return request.body === undefined ? parseFields({}, schema) : parseBody(request, schema);
}

/** The query of the address as its schema has it. @throws InvalidError naming each wrong field */
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

/** Fields whose text Postgres could not keep as it is: with a NUL, or with half a surrogate pair. */
function unstorableFields(input: object): Record<string, string> {
  const found = Object.entries(input).filter(([key, value]) => !isStorable(key) || !isStorable(value));
  return Object.fromEntries(found.map(([key]) => [key, 'Please remove invalid characters.']));
}

/** No form of ours nests; whoever goes deeper than this wants the stack to overflow. */
const DEEPEST = 20;

function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  if (depth > DEEPEST) return false;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each, depth + 1));
}
