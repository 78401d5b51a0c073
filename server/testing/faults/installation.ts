import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseUnavailable } from '../../platform/db/database-errors.ts';
import { readOutbox, type OutboxEmail } from '../clients/dev-outbox.ts';
import { createTestClient, type TestClient, type TestResponse } from '../clients/test-client.ts';
import { startAppProcess, type AppProcess } from '../environment/app-process.ts';
import { createTestDatabase } from '../environment/test-database.ts';
import { openTestPool } from '../environment/test-pool.ts';
import { expireClaims } from '../timing/expire-claims.ts';

const RETRY_INTERVAL_MS = 50;
/** Longer than a start or an outage takes on a busy machine. */
const PATIENCE_MS = 120_000;

/** Of a request that can be repeated later. */
const REJECTIONS = [429, 503, 507];

export const SESSION_SECRET = 'a session secret of more than thirty-two characters';

/** Limits that no workload reaches. */
const SETTINGS = {
  SESSION_SECRET,
  MIN_FREE_DISK_GB: '0',
  MIN_FREE_DISK_PERCENT: '0',
  ...Object.fromEntries(
    [
      'CARICATURES_PER_DAY',
      'CARICATURES_PER_MONTH',
      'INBOUND_MAIL_REPLIES_PER_HOUR',
      'INBOUND_MAILS_PER_HOUR',
      'MAILS_PER_HOUR',
      'REGISTRATIONS_PER_ADDRESS',
      'REGISTRATIONS_PER_DAY',
      'TEXT_REPLIES_PER_NUMBER',
      'UPLOADS_PER_MINUTE',
      'VISITOR_REQUEST_BURST',
      'WRITE_BURST',
    ].map((name) => [name, '100000']),
  ),
};

/** A database and a data folder that outlive the app's processes. */
export type Installation = {
  dataDir: string;
  databaseUrl: string;
  pool: pg.Pool;
  start(): Promise<AppProcess>;
  /** Kills the app, and starts it after its jobs and leases have expired. */
  killAndRestart(): Promise<void>;
  /** Repeats a request without a response, as our client does, and one answered with 429, 503 or 507. */
  untilResponse(ask: (origin: string) => Promise<TestResponse>): Promise<TestResponse>;
  /** Repeats a query of an operation while Postgres is down. It may have run before. */
  queryWithRetry<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Sends its requests as `untilResponse`. */
  client(): TestClient;
  /** The distinct 429, 503 and 507 responses to the clients. */
  rejections: Set<string>;
  /** How many SMS the provider may have accepted without telling the app, which sends them again. */
  uncertainSends: number;
  objects: StoredObjects;
  /** All emails that were sent, without repetitions of the same one. */
  sentEmails: () => Promise<OutboxEmail[]>;
  remove(): Promise<void>;
};

export type StoredObjects = {
  /** All keys. */
  list(): Promise<string[]>;
  /** Null if there is none. */
  read(key: string): Promise<Uint8Array | null>;
};

/** External services, instead of the embedded ones. */
export type Services = {
  /** On another disk. */
  dataDir?: string;
  database?: { url: string };
  objects?: StoredObjects;
  sentEmails?: () => Promise<OutboxEmail[]>;
};

export async function createInstallation(
  settings: Record<string, string> = {},
  { database, objects, sentEmails, ...services }: Services = {},
): Promise<Installation> {
  const created = database ? null : await createTestDatabase();
  const databaseUrl = database?.url ?? created?.url ?? '';
  const dataDir = services.dataDir ?? (await mkdtemp(join(tmpdir(), 'mems-faults-')));
  const pool = openTestPool(databaseUrl, { max: 4 });
  let app: AppProcess | null = null;
  const rejections = new Set<string>();

  async function start(): Promise<AppProcess> {
    app = await startAppProcess({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...SETTINGS, ...settings });
    return app;
  }

  async function countActiveSends(): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pgboss.job where name = 'send-sms' and state = 'active'`,
    );
    return rows[0]?.count ?? 0;
  }

  async function untilResponse(ask: (origin: string) => Promise<TestResponse>): Promise<TestResponse> {
    let asked = app;
    let deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      // Null while it restarts: another process may listen on the former port.
      const current = app;
      if (current !== asked) deadline = Date.now() + PATIENCE_MS;
      asked = current;
      const response = current && (await ask(current.origin).catch(nullWithoutResponse));
      if (response && !REJECTIONS.includes(response.status)) return response;
      if (response) rejections.add(`${response.status} ${response.text}`);
      if (Date.now() > deadline) throw new Error(`No answer for two minutes: ${[...rejections].join(', ')}`);
      await pause(RETRY_INTERVAL_MS);
    }
  }

  async function queryWithRetry<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(RETRY_INTERVAL_MS)) {
      try {
        return (await pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      }
    }
  }

  const installation: Installation = {
    dataDir,
    databaseUrl,
    pool,
    rejections,
    uncertainSends: 0,
    untilResponse,
    queryWithRetry,
    start,
    async killAndRestart() {
      const killed = app;
      app = null;
      await killed?.kill();
      installation.uncertainSends += await countActiveSends();
      await expireClaims(pool);
      await start();
    },
    client() {
      let cookie = '';
      const client: TestClient = {
        ...createTestClient(''),
        request: (method, path, options) =>
          untilResponse(async (origin) => {
            const attempt = createTestClient(origin);
            attempt.setCookie(cookie);
            const response = await attempt.request(method, path, options);
            cookie = attempt.cookie();
            return response;
          }),
        get: (path, headers) => client.request('GET', path, headers ? { headers } : {}),
        post: (path, json, headers) =>
          client.request('POST', path, { json: json ?? {}, ...(headers && { headers }) }),
        cookie: () => cookie,
        setCookie: (value) => void (cookie = value),
      };
      return client;
    },
    objects: objects ?? objectsOnDisk(join(dataDir, 'objects')),
    sentEmails: sentEmails ?? (() => readOutbox(dataDir)),
    async remove() {
      await app?.kill();
      await pool.end();
      await created?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return installation;
}

function objectsOnDisk(folder: string): StoredObjects {
  return {
    async list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort();
    },
    read: (key) => readFile(join(folder, key)).catch(() => null),
  };
}

function nullWithoutResponse(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}
