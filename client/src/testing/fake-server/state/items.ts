import * as z from 'zod/mini';

/** An error response. */
export class FakeError extends Error {
  readonly status: number;
  readonly details: { code?: string; fields?: Record<string, string> };

  constructor(status: number, message: string, details: FakeError['details'] = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export const notFound = (message = 'Not found') => new FakeError(404, message);

/** Of one field, whose message is the error's. */
export function fieldError(status: 409 | 422, field: string, message: string): FakeError {
  return new FakeError(status, message, { fields: { [field]: message } });
}

/** As the server's validation: each wrong field is named by its path. */
export function parse<Schema extends z.ZodMiniType>(input: object, schema: Schema): z.output<Schema> {
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues)
    fields[path.map(String).join('.') || 'body'] ??= message;
  throw new FakeError(422, Object.values(fields)[0] ?? '', { fields });
}

export function findById<Item extends { id: string }>(
  items: readonly Item[],
  id: string | undefined,
  message?: string,
): Item {
  const found = items.find((item) => item.id === id);
  if (!found) throw notFound(message);
  return found;
}

export function removeById<Item extends { id: string }>(
  items: Item[],
  id: string | undefined,
  message?: string,
): void {
  items.splice(items.indexOf(findById(items, id, message)), 1);
}

/** Without the fields that are absent from a request. */
export function definedOnly<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
