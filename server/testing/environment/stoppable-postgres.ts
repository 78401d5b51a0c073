import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { preparePostgresBinaries } from '../../platform/embedded-postgres/postgres-binaries.ts';
import { makeCluster } from '../../platform/embedded-postgres/postgres-cluster.ts';
import { choosePostgresRunner } from '../../platform/embedded-postgres/postgres-runner.ts';
import { makeSocketFolder } from '../../platform/embedded-postgres/postgres-socket-folder.ts';

/** pg_ctl's modes: fast ends each session with an error, immediate drops the connections. */
export type StopMode = 'fast' | 'immediate';

export type StoppablePostgres = {
  url: string;
  stop(mode: StopMode): Promise<void>;
  /** Resolves once it accepts connections. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const PASSWORD = 'for-tests-only';

/** A Postgres server that a test can stop and start, as in a failover. */
export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mems-stoppable-')));
  const dataDir = join(folder, 'postgres');
  const { postgres, initdb } = await preparePostgresBinaries();
  const runner = await choosePostgresRunner(postgres, dataDir);
  const socketFolder = await makeSocketFolder(dataDir, runner);
  await makeCluster({ initdb, dataDir, password: PASSWORD, runner, isDurable: false });
  const query = new URLSearchParams({ host: socketFolder, port: '5432', sslmode: 'disable' });
  const url = `postgres://postgres:${PASSWORD}@localhost/postgres?${query.toString()}`;
  const settings = [`unix_socket_directories=${socketFolder}`, 'listen_addresses=', 'fsync=off'];
  const args = ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = runner.start(postgres, args, { stdio: 'ignore' });
    while (!(await isAccepting(url))) {
      if (child.exitCode !== null) throw new Error(`Postgres ended with exit code ${child.exitCode}`);
      await pause(20);
    }
  }

  async function stop(mode: StopMode): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(SIGNALS[mode]);
    await ended;
  }

  await start();
  return {
    url,
    start,
    stop,
    async remove() {
      await stop('immediate');
      for (const path of [folder, socketFolder]) await rm(path, { recursive: true, force: true });
    },
  };
}

async function isAccepting(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return isConnected;
}
