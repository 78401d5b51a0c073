import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { APP_ROLE } from '../../server/platform/embedded-postgres/app-role.ts';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts';
import { createDisposer } from '../../server/app/disposer.ts';
import { fillDatabase } from '../data/fill-database.ts';
import type { BaselineName } from '../cases/bench-case.ts';
import type { BenchData } from '../data/bench-data.ts';
import { PRODUCT_NUMBER, SMS_ACCOUNT, startFakeTwilio, type FakeTwilio } from './fake-twilio.ts';
import { APP_ARGUMENTS, APP_MEMORY_SETTINGS } from './app-command.ts';
import { startProcess } from './start-process.ts';

export type Environment = {
  data: BenchData;
  app: string;
  /** The app of another checkout on the same data; null without one. */
  otherApp: string | null;
  baselines: Record<BaselineName, string>;
  twilio: FakeTwilio;
  end(): Promise<void>;
};

export const STANDARD_ROWS = 200_000;

/** A filled Postgres with app and baseline on free ports. Everything is temporary. */
export async function startEnvironment(options: {
  profile: string | null;
  /** The number of memories. */
  rows?: number;
  /** The folder of a built checkout to compare with. */
  otherCheckout?: string | null;
  report: (line: string) => void;
}): Promise<Environment> {
  const disposer = createDisposer();
  try {
    const folder = disposer.add(await mkdtemp(join(tmpdir(), 'mems-bench-')), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const { connectionString: databaseUrl, superuserConnectionString } = disposer.add(
      await startEmbeddedPostgres({
        dataDir: join(folder, 'postgres'),
        password: randomBytes(16).toString('hex'),
        onLog: () => undefined,
      }),
      (postgres) => postgres.stop(),
    );
    await allowFilling(superuserConnectionString);
    const twilio = disposer.add(await startFakeTwilio(), (each) => each.end());
    const sessionSecret = randomBytes(32).toString('hex');
    const dataDir = join(folder, 'app');
    const profiling = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : [];
    const uploadSecret = randomBytes(32).toString('hex');
    const startApp = async (name: string, args: string[], checkout?: string) => {
      const port = await findFreePort();
      const started = await startProcess(args, {
        log: join(folder, `${name}.log`),
        ...(checkout && { folder: checkout }),
        env: {
          ENV_FILE: '',
          NODE_ENV: 'production',
          ...APP_MEMORY_SETTINGS,
          HOST: '127.0.0.1',
          PORT: port,
          // Twilio's signature covers the URL.
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          DATA_DIR: join(folder, name),
          DATABASE_URL: databaseUrl,
          SESSION_SECRET: sessionSecret,
          UPLOAD_SECRET: uploadSecret,
          TWILIO_ACCOUNT_SID: SMS_ACCOUNT.sid,
          TWILIO_AUTH_TOKEN: SMS_ACCOUNT.authToken,
          TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
          TWILIO_API_URL: twilio.origin,
          UPLOADS_PER_MINUTE: '1000000',
          VISITOR_REQUEST_BURST: '1000000',
          WRITE_BURST: '1000000',
          TEXT_REPLIES_PER_NUMBER: '1000000',
          CARICATURES_PER_DAY: '1000000',
          CARICATURES_PER_MONTH: '1000000',
        },
      });
      return disposer.add(started, (each) => each.end());
    };
    const app = await startApp('app', [...profiling, ...APP_ARGUMENTS]);
    const otherApp = options.otherCheckout
      ? await startApp('other-app', APP_ARGUMENTS, options.otherCheckout)
      : null;
    if (otherApp) {
      // Each app locks its own folder; the photos are shared.
      const objects = join(folder, 'other-app', 'objects');
      await rm(objects, { recursive: true, force: true });
      await symlink(join(dataDir, 'objects'), objects);
    }
    const data = await fillDatabase({
      app: app.origin,
      databaseUrl,
      sessionSecret,
      objectsFolder: join(dataDir, 'objects'),
      rows: options.rows ?? STANDARD_ROWS,
      report: options.report,
    });
    const dataFile = join(folder, 'data.json');
    await writeFile(dataFile, JSON.stringify(data), { mode: 0o600 });
    const startBaseline = async (name: string) =>
      disposer.add(
        await startProcess(['--import', 'tsx', `bench/baseline/${name}-server.ts`, dataFile], {
          log: join(folder, `${name}.log`),
          env: { NODE_ENV: 'production' },
        }),
        (each) => each.end(),
      ).origin;
    return {
      data,
      app: app.origin,
      otherApp: otherApp?.origin ?? null,
      baselines: { 'node:http': await startBaseline('node-http'), Express: await startBaseline('express') },
      twilio,
      end: () => disposer.dispose(),
    };
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}

/** What `fillDatabase` needs beyond the app's own rights. */
async function allowFilling(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(
    `grant set on parameter session_replication_role to ${APP_ROLE}; grant pg_checkpoint to ${APP_ROLE}`,
  );
  await client.end();
}

export async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
