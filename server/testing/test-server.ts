import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Composition, type Overrides } from '../app/compose.ts';
import { updateUser } from '../features/accounts/users/user-queries.ts';
import { parseConfig } from '../platform/config/config.ts';
import type { AppContext } from '../platform/context.ts';
import { listen } from '../platform/http/listen.ts';
import { createTestClient, type TestClient } from './clients/test-client.ts';
import { createTestDatabase } from './environment/test-database.ts';
import { findIsolationOnce, startSharedDecoder } from './environment/shared-decoder.ts';

export type TestServer = {
  origin: string;
  app: Composition['app'];
  context: AppContext;
  databaseUrl: string;
  dataDir: string;
  /** A new client without a session. */
  visitor(): TestClient;
  /** Creates an account and signs it in. */
  signUp(name?: string): Promise<TestClient & { userId: string }>;
  /** As `signUp`, for an administrator. */
  signUpAdmin(name?: string): Promise<TestClient & { userId: string }>;
  /** Runs all pending jobs, delayed ones included. */
  drainJobs(): Promise<void>;
  /** As a process that shuts down, before it closes. */
  drain(): void;
  close(): Promise<void>;
};

type TestServers = ReadonlySet<() => Promise<void>>;

/** Servers that are running. */
const open = new Set<() => Promise<void>>();

export function openTestServers(): TestServers {
  return new Set(open);
}

export async function closeTestServers(except: TestServers = new Set()): Promise<void> {
  for (const close of openTestServers()) if (!except.has(close)) await close();
}

/** The real server over a real Postgres, closed after the test or the file that started it. Jobs run only in `drainJobs`. */
export async function startTestServer(
  options: { env?: NodeJS.ProcessEnv; overrides?: Overrides } = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-server-'));
  const config = parseConfig({
    NODE_ENV: 'test',
    ...(!options.env?.['NODE_ENV'] && { WEAK_PASSWORD_HASHES_FOR_TESTS: 'true' }),
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    REGISTRATIONS_PER_ADDRESS: '10000',
    VISITOR_REQUEST_BURST: '10000',
    // Tests run on a full disk as well.
    MIN_FREE_DISK_GB: '0',
    MIN_FREE_DISK_PERCENT: '0',
    ...options.env,
  });
  const composition = await compose(config, {
    hasWorkers: false,
    findIsolation: findIsolationOnce,
    startDecoderProcess: startSharedDecoder,
    ...options.overrides,
  });
  const server = await listen(composition, config.http, composition.context.logger);
  const origin = `http://127.0.0.1:${server.port}`;
  composition.announce(origin);
  let accounts = 0;

  const close = async () => {
    if (!open.delete(close)) return;
    composition.drain();
    composition.windDown();
    await server.close({ timeoutMs: 1000, idleMs: 0 });
    await composition.close(1000);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  open.add(close);

  async function signUp(name = `person${++accounts}`): Promise<TestClient & { userId: string }> {
    const client = createTestClient(origin);
    const account = { email: `${name}@mems.example`, username: name, password: 'correct horse' };
    const response = await client.post('/api/register', account);
    if (response.status !== 201) throw new Error(`Could not sign up ${name}: ${response.text}`);
    return Object.assign(client, { userId: (response.body as { id: string }).id });
  }

  return {
    origin,
    app: composition.app,
    context: composition.context,
    databaseUrl: database.url,
    dataDir,
    visitor: () => createTestClient(origin),
    signUp,
    async signUpAdmin(name) {
      const admin = await signUp(name);
      await updateUser(composition.context.db, admin.userId, { isAdmin: true });
      return admin;
    },
    drainJobs: () => composition.drainJobs(),
    drain: () => composition.drain(),
    close,
  };
}
