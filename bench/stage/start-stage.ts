import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts';
import { createDisposer } from '../../server/app/disposer.ts';
import { fillDatabase } from '../data/fill-database.ts';
import type { Facts } from '../facts.ts';
import {
  PRODUCT_NUMBER,
  SMS_ACCOUNT,
  startProviderStandIn,
  type ProviderStandIn,
} from '../texts/provider-stand-in.ts';
import { startProcess } from './start-process.ts';

export type Stage = {
  facts: Facts;
  app: string;
  floor: string;
  /** Who brings texts to the app. */
  provider: ProviderStandIn;
  end(): Promise<void>;
};

/** A Postgres with everybody's memories, and over it the app and the floor: all of it temporary, ports too. */
export async function startStage(options: {
  profile: string | null;
  report: (line: string) => void;
}): Promise<Stage> {
  const disposer = createDisposer();
  try {
    const folder = disposer.add(await mkdtemp(join(tmpdir(), 'mems-bench-')), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const { connectionString: databaseUrl } = disposer.add(
      await startEmbeddedPostgres({
        dataDir: join(folder, 'postgres'),
        password: randomBytes(16).toString('hex'),
        onLog: () => undefined,
      }),
      (postgres) => postgres.stop(),
    );
    const provider = disposer.add(await startProviderStandIn(), (each) => each.end());
    const sessionSecret = randomBytes(32).toString('hex');
    const dataDir = join(folder, 'app');
    const profiling = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : [];
    const app = disposer.add(
      await startProcess([...profiling, 'scripts/start.mjs'], {
        log: join(folder, 'app.log'),
        env: {
          ENV_FILE: '',
          NODE_ENV: 'production',
          HOST: '127.0.0.1',
          PORT: '0',
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          SESSION_SECRET: sessionSecret,
          UPLOAD_SECRET: randomBytes(32).toString('hex'),
          TWILIO_ACCOUNT_SID: SMS_ACCOUNT.sid,
          TWILIO_AUTH_TOKEN: SMS_ACCOUNT.authToken,
          TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
          TWILIO_API_URL: provider.origin,
          TEXT_REPLIES_PER_NUMBER: '1000000',
        },
      }),
      (each) => each.end(),
    );
    const facts = await fillDatabase({
      app: app.origin,
      databaseUrl,
      sessionSecret,
      objects: join(dataDir, 'objects'),
      report: options.report,
    });
    const factsFile = join(folder, 'facts.json');
    await writeFile(factsFile, JSON.stringify(facts), { mode: 0o600 });
    const floor = disposer.add(
      await startProcess(['--import', 'tsx', 'bench/floor/floor-server.ts', factsFile], {
        log: join(folder, 'floor.log'),
        env: { NODE_ENV: 'production' },
      }),
      (each) => each.end(),
    );
    return { facts, app: app.origin, floor: floor.origin, provider, end: () => disposer.dispose() };
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}
