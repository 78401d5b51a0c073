import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';

/** Includes installing the packages, which takes a minute or two. */
const PATIENCE_MS = 6 * 60_000;
const ADDRESS = /^S3_(ENDPOINT|ACCESS_KEY_ID|SECRET_ACCESS_KEY)=(.*)$/;

/** Uses S3_TEST_ENDPOINT, else Ceph's gateway from Debian's packages. Null if there is neither. */
export async function provideS3() {
  if (process.env.S3_TEST_ENDPOINT) return { env: {}, stop: async () => {} };
  if (process.platform !== 'linux') return null;
  console.log(
    'Starting an S3 server for the tests (the first time its packages are installed, a minute or two)…',
  );
  const folder = mkdtempSync(join(tmpdir(), 'mems-s3-'));
  const env = {};
  let pid;
  let setUp;
  const isUp = new Promise((resolve) => (setUp = resolve));
  const ended = run('bash', ['scripts/s3/rgw-up.sh', 'run', folder, String(await freePort())], {
    onSpawn: (spawned) => (pid = spawned),
    filter: (line) => {
      const [, name, value] = ADDRESS.exec(line) ?? [];
      if (name) env[`S3_TEST_${name}`] = value;
      if (Object.keys(env).length === 3) setUp(true);
      return false;
    },
  }).then(() => false);
  const tooLong = setTimeout(() => setUp(false), PATIENCE_MS);
  const stop = async () => {
    clearTimeout(tooLong);
    if (pid) killGroup(pid);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  if (await Promise.race([isUp, ended])) return { env, stop };
  await stop();
  return null;
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // The group has already ended.
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
