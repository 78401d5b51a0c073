import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { APP_ARGUMENTS, APP_MEMORY_SETTINGS } from '../environment/app-command.ts';
import { createAlbumClient, request } from '../environment/album-client.ts';
import { signUp } from '../environment/sign-up.ts';
import { findFreePort } from '../environment/start-environment.ts';
import { startProcess, type RunningProcess } from '../environment/start-process.ts';
import { markdownTable } from '../markdown-table.ts';
import { makePhonePhoto, measureLoad } from './measure-upload.ts';
import { readTreeMemory, type TreeMemory } from './process-memory.ts';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';
import { median } from './statistics.ts';

const STARTS = 5;
const IDLE_MS = 60_000;
const SAMPLING_INTERVAL_MS = 250;

export type InstallationResult = {
  /** Milliseconds of each warm start until the readiness check answers. */
  startMs: number[];
  /** A minute after the start. */
  idle: TreeMemory;
  highest: TreeMemory;
  /** A minute after the load and the work that it caused. */
  idleAfterLoad: TreeMemory;
};

/** An installation with its own embedded Postgres, as `npm start` runs it. */
export async function measureInstallation(): Promise<InstallationResult> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-bench-installation-'));
  const start = () => startInstallation(folder);
  let app: RunningProcess | null = null;
  try {
    await (await start()).end();
    const startMs: number[] = [];
    for (let n = 0; n < STARTS; n++) {
      await app?.end();
      const startedAt = performance.now();
      app = await start();
      startMs.push(performance.now() - startedAt);
    }
    if (!app) throw new Error('Nothing was started');
    await delay(IDLE_MS);
    const idle = await readTreeMemory(app.pid);
    const highest = await loadWithUploads(app);
    await delay(IDLE_MS);
    return { startMs, idle, highest, idleAfterLoad: await readTreeMemory(app.pid) };
  } finally {
    await app?.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startInstallation(folder: string): Promise<RunningProcess> {
  const port = await findFreePort();
  const app = await startProcess(APP_ARGUMENTS, {
    log: join(folder, 'app.log'),
    env: {
      ENV_FILE: '',
      NODE_ENV: 'production',
      ...APP_MEMORY_SETTINGS,
      HOST: '127.0.0.1',
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: join(folder, 'data'),
      UPLOADS_PER_MINUTE: '1000000',
      VISITOR_REQUEST_BURST: '1000000',
      WRITE_BURST: '1000000',
    },
  });
  await request(`${app.origin}/api/health/ready`, {});
  return app;
}

/** Uploads and lists; the highest memory meanwhile. */
async function loadWithUploads({ origin, pid }: RunningProcess): Promise<TreeMemory> {
  const { cookie } = await signUp(origin, 'memory');
  const client = createAlbumClient(origin, cookie);
  const photo = await makePhonePhoto();
  const highest: TreeMemory = { app: 0, withPostgres: 0 };
  const ended = new AbortController();
  const sampling = (async () => {
    while (!ended.signal.aborted) {
      const { app, withPostgres } = await readTreeMemory(pid);
      highest.app = Math.max(highest.app, app);
      highest.withPostgres = Math.max(highest.withPostgres, withPostgres);
      await delay(SAMPLING_INTERVAL_MS);
    }
  })();
  const imageUrls: string[] = [];
  try {
    await measureLoad(
      async () => imageUrls.push((await client.addPhoto(copyOfPhoto(photo))).imageUrl),
      () => client.call('GET', '/api/memories?limit=100'),
    );
    // Until the decoder has made the largest variant of each photo.
    for (const url of imageUrls) await (await client.call('GET', `${url}?w=1600`)).arrayBuffer();
  } finally {
    ended.abort();
    await sampling;
  }
  return highest;
}

const MAX_START_MS = 2_000;
const MAX_MEGABYTES = { appIdle: 150, appHighest: 300, allIdle: 250 };

/** In Markdown. */
export function installationTable({ startMs, idle, highest, idleAfterLoad }: InstallationResult): string {
  const target = (value: number, max: number) => `${max}: ${value <= max ? 'yes' : '**no**'}`;
  const row = (name: string, value: number, max: number | null) => [
    name,
    `**${value.toFixed(0)}**`,
    max === null ? '' : target(value, max),
  ];
  const { appIdle, appHighest, allIdle } = MAX_MEGABYTES;
  return markdownTable(
    ['an installation with its embedded Postgres', 'measured', 'target'],
    [
      row(`warm start until it is ready, median of ${startMs.length}, ms`, median(startMs), MAX_START_MS),
      row('memory a minute after the start, MB: app', idle.app, appIdle),
      row('app and Postgres', idle.withPostgres, allIdle),
      row('highest during 200 uploads and lists, MB: app', highest.app, appHighest),
      row('app and Postgres', highest.withPostgres, null),
      row('a minute after that, MB: app', idleAfterLoad.app, appIdle),
      row('app and Postgres', idleAfterLoad.withPostgres, allIdle),
    ],
  );
}
