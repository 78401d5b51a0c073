import { AppConfig } from '#shared/api/app-config';
import { ERROR_CODES, SESSION_LOST } from '#shared/api/api-error';
import { IDENTITY_UNCONFIRMED } from '#shared/accounts/session';
import { adminRoutes } from './routes/admin-routes.ts';
import { caricatureRoutes } from './routes/caricature-routes.ts';
import { contactRoutes } from './routes/contact-routes.ts';
import { emptyState, type FakeState } from './state/fake-state.ts';
import { heldMessageRoutes } from './routes/held-message-routes.ts';
import { FakeError, notFound } from './state/items.ts';
import { memoryRoutes } from './routes/memory-routes.ts';
import { petRoutes } from './routes/pet-routes.ts';
import { PHOTO } from './photo.ts';
import { command, file, route, type Call, type Route } from './routes/route.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { shareRoutes } from './routes/share-routes.ts';
import { transferRoutes } from './routes/transfer-routes.ts';
import { uploadRoutes } from './routes/upload-routes.ts';
import { userRoutes } from './routes/user-routes.ts';

/** Literal paths before those with parameters. */
export const routes: readonly Route[] = [
  route('GET /api/config', AppConfig, ({ state }) => state.config, { isPublic: true }),
  // A stream, which the fake server does not hold: its caller does.
  command('GET /api/events', () => {}, { status: 200 }),
  file('GET /objects/:id', 'image/png', () => PHOTO),
  file('GET /objects/:id/original', 'image/png', () => PHOTO),
  ...adminRoutes,
  ...caricatureRoutes,
  ...contactRoutes,
  ...heldMessageRoutes,
  ...memoryRoutes,
  ...petRoutes,
  ...sessionRoutes,
  ...shareRoutes,
  ...transferRoutes,
  ...uploadRoutes,
  ...userRoutes,
].toSorted((a, b) => countParams(a) - countParams(b));

const FAILURES = {
  401: () => new FakeError(401, 'Unauthorized', { code: SESSION_LOST }),
  500: () => new FakeError(500, 'Something went wrong on our side. Please try again.'),
};

const patterns = routes.map((each) => ({
  route: each,
  pattern: new RegExp(`^${each.name.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

export interface FakeResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON, bytes, or null for none. */
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** Answers the client's calls as the server would, without a network. fake-server-contract.test.ts compares both. */
export class FakeServer {
  state: FakeState;
  /** 'METHOD /path?query' */
  readonly requests: string[] = [];
  /** Calls of no route, which fail a test. */
  readonly unknown: string[] = [];
  /** Of calls that fail, 'METHOD /path'. 401 is a lost session. */
  failing: { calls: RegExp; status: keyof typeof FAILURES } | null = null;

  constructor(state: FakeState = emptyState()) {
    this.state = state;
    state.album.petName = (petId) => this.state.pets.find(({ id }) => id === petId)?.name ?? '';
  }

  /** For component tests, instead of the global `fetch`. */
  readonly fetch = (path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) => {
    const response = this.respond(method, path, toFields(body));
    return Promise.resolve(new Response(response.body, response));
  };

  /** @param body parsed JSON, or the text fields of a form */
  respond(method: string, path: string, body?: unknown): FakeResponse {
    this.requests.push(`${method} ${path}`);
    const url = new URL(path, 'http://localhost');
    try {
      return this.#respond(`${method} ${url.pathname}`, url.searchParams, body);
    } catch (error) {
      if (!(error instanceof FakeError)) throw error;
      const { status, message, details } = error;
      return json(status, { message, code: ERROR_CODES[status], ...details });
    }
  }

  #respond(name: string, searchParams: URLSearchParams, body: unknown): FakeResponse {
    if (this.failing?.calls.test(name)) throw FAILURES[this.failing.status]();
    const [found] = patterns.flatMap(({ route, pattern }) => {
      const match = pattern.exec(name);
      return match ? [{ route, params: match.groups ?? {} }] : [];
    });
    if (!found) {
      this.unknown.push(name);
      throw notFound();
    }
    const { route, params } = found;
    this.#authorize(route);
    const query = Object.fromEntries(searchParams);
    const call: Call = { state: this.state, params, query, body, status: route.status, headers: {} };
    const result = route.handle(call);
    if (result instanceof Uint8Array)
      return { status: call.status, headers: call.headers, body: new Uint8Array(result) };
    if (result === undefined) return { status: call.status, headers: call.headers, body: null };
    return json(call.status, result, call.headers);
  }

  #authorize({ isPublic, isForAdmins, needsConfirmedIdentity }: Route): void {
    const { isSignedIn, isIdentityUnconfirmed, user } = this.state;
    if (!isPublic && !isSignedIn) throw FAILURES[401]();
    if (isForAdmins && !user.isAdmin) throw new FakeError(403, 'Only administrators may do this');
    if (needsConfirmedIdentity && isIdentityUnconfirmed)
      throw new FakeError(403, 'Please confirm that it is you', { code: IDENTITY_UNCONFIRMED });
  }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): FakeResponse {
  return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function toFields(body: unknown): unknown {
  if (body instanceof FormData) return formFields(body);
  return typeof body === 'string' ? JSON.parse(body) : body;
}

/** Without its files. */
export function formFields(form: FormData): Record<string, string> {
  const entries = [...form.entries()];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function countParams({ name }: Route): number {
  return name.split(':').length;
}
