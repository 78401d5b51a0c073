import * as z from 'zod/mini';
import { PageQuery } from '#shared/api/pagination';
import type { FakeState } from '../state/fake-state.ts';
import { FakeError, parse } from '../state/items.ts';

export interface Call {
  state: FakeState;
  /** Of the path, like `:id`. */
  params: Record<string, string>;
  query: Record<string, string>;
  /** Parsed JSON, or the text fields of a form. */
  body: unknown;
  /** Handlers may change it. */
  status: number;
  headers: Record<string, string>;
}

export interface Route {
  /** `GET /api/pets/:id` */
  name: string;
  isPublic: boolean;
  isForAdmins: boolean;
  needsConfirmedIdentity: boolean;
  status: number;
  /** Of a successful response in JSON. */
  schema: z.ZodMiniType | null;
  /** @returns the body: JSON, bytes, or undefined for none */
  handle(call: Call): unknown;
}

type Name = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
type Options = Partial<Pick<Route, 'isPublic' | 'isForAdmins' | 'needsConfirmedIdentity' | 'status'>>;

/** Answers with what the schema accepts; anything else is an error of the fake. */
export function route<Schema extends z.ZodMiniType>(
  name: Name,
  schema: Schema,
  handle: (call: Call) => z.input<Schema>,
  options: Options = {},
): Route {
  return toRoute(name, (call) => z.parse(schema, handle(call)), { status: 200, ...options }, schema);
}

/** Answers without a body. */
export function command(name: Name, handle: (call: Call) => void, options: Options = {}): Route {
  return toRoute(name, (call) => void handle(call), { status: 204, ...options });
}

/** A list with `?limit=` and `?cursor=`. The cursor is the id of the last item. */
export function list<Item extends z.ZodMiniType<{ id: string }, { id: string }>>(
  name: Name,
  item: Item,
  handle: (call: Call) => z.input<Item>[],
  options: Options = {},
): Route {
  const schema = z.array(item);
  const respond = (call: Call) => {
    const { limit, cursor } = parse(call.query, PageQuery);
    const items = handle(call);
    const rest = items.slice(items.findIndex(({ id }) => id === cursor) + 1);
    const page = rest.slice(0, limit);
    if (page.length < rest.length) linkNext(call, name.replace('GET ', ''), page.at(-1)!.id);
    return z.parse(schema, page);
  };
  return toRoute(name, respond, { status: 200, ...options }, schema);
}

export function file(name: Name, contentType: string, bytes: (call: Call) => Uint8Array): Route {
  const handle = (call: Call) => {
    call.headers['Content-Type'] = contentType;
    return bytes(call);
  };
  return toRoute(name, handle, { status: 200 });
}

function toRoute(
  name: Name,
  handle: Route['handle'],
  options: Options & { status: number },
  schema: Route['schema'] = null,
): Route {
  return {
    name,
    handle,
    schema,
    isPublic: false,
    isForAdmins: false,
    needsConfirmedIdentity: false,
    ...options,
  };
}

export function linkNext({ headers, params, query }: Call, path: string, cursor: string): void {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const next = new URLSearchParams({ ...query, cursor });
  headers['Link'] = `<${filled}?${next.toString()}>; rel="next"`;
}

export function parseBody<Schema extends z.ZodMiniType>({ body }: Call, schema: Schema): z.output<Schema> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new FakeError(400, 'Please send a JSON object.');
  return parse(body, schema);
}
