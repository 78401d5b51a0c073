import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemory } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { projectRoot } from '../process/project-root.ts';
import {
  DECODER_PATH,
  findIsolation,
  isolated,
  memoryLimited,
  restrictedNode,
  type Isolation,
} from './decoder-command.ts';
import { startDecoderProcess } from './decoder-process-handle.ts';

/** Stands in for a decoder that a hostile file has taken over. */
const PROBE = `
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
const [dataDir, port] = process.argv.slice(2);
const attempts = {
  readSecret: () => readFileSync(dataDir + '/secrets/session', 'utf8'),
  listData: () => readdirSync(dataDir).join(),
  readOther: () => readFileSync('/etc/passwd', 'utf8'),
  readEnvironment: () => readFileSync('/proc/' + process.ppid + '/environ', 'latin1'),
  write: () => writeFileSync(import.meta.dirname + '/written', ''),
  run: () => execFileSync('true'),
  work: () => new Worker('process.exit()', { eval: true }),
};
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try { attempt(); results[name] = 'done'; } catch (error) { results[name] = error.code; }
}
const socket = connect({ port: Number(port), host: '127.0.0.1' });
results.connect = await new Promise((resolve) =>
  socket.on('connect', () => resolve('done')).on('error', ({ code }) => resolve(code)));
socket.destroy();
console.log(JSON.stringify(results));
`;

/** Prints the names of the attempts that succeed. Native code: it has no permission model. */
const NATIVE_ATTEMPTS = `
attempt() { name=$1; shift; "$@" >/dev/null 2>&1 && echo "$name"; }
app=$1 server=$2
attempt write-program touch "$app/program/written"
attempt write-packages test -w "${join(projectRoot, 'node_modules/sharp')}"
attempt write-system test -w /usr/bin
attempt write-elsewhere touch "$app/written"
attempt read-settings cat "$app/.env"
attempt read-data cat "$app/data/secrets/session"
attempt read-system cat /etc/passwd
attempt read-environment cat "/proc/$server/environ"
attempt see-process test -d "/proc/$server"
attempt signal kill -0 "$server"
attempt make-writable mount -o remount,bind,rw none "$app/program"
attempt make-writable-as-root unshare -rm mount -o remount,bind,rw none "$app/program"
attempt see-old-root unshare -rm umount -l "$app/program"
attempt read-program cat "$app/program/probe.mjs"
`;

let folder: string;
let dataDir: string;
let sockets: string;
let script: string;
const listening = createServer((socket) => socket.end());
const listeningInFolder = createServer((socket) => socket.end());

beforeAll(async () => {
  // Not in the memory of other tests: the decoder may write to a /dev/shm of its own.
  folder = await realpath(await mkdtemp('/tmp/mems-decoder-'));
  dataDir = join(folder, 'data');
  sockets = join(folder, 'sockets');
  script = join(folder, 'program', 'probe.mjs');
  await mkdir(join(dataDir, 'secrets'), { recursive: true });
  await mkdir(sockets);
  await mkdir(join(folder, 'program'));
  await writeFile(join(dataDir, 'secrets/session'), 'a secret');
  await writeFile(script, PROBE);
  await writeFile(join(folder, '.env'), 'SESSION_SECRET=secret');
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  await once(listeningInFolder.listen(join(sockets, 'socket')), 'listening');
});

afterAll(async () => {
  listening.close();
  listeningInFolder.close();
  await rm(folder, { recursive: true, force: true });
});

async function run([program = '', ...args]: string[], path = DECODER_PATH) {
  const child = spawn(program, args, { env: { PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.trim(), errors };
}

const probe = () => [dataDir, String((listening.address() as AddressInfo).port)];

/** Some systems forbid namespaces. */
const hasNamespaces =
  (await run(['unshare', '--user', '--map-root-user', '--net', '--mount', 'true'])).code === 0;
const bestIsolation = hasNamespaces ? 'full' : 'none';

/** What native code succeeds with. */
async function attemptAll(isolation: Isolation, hiddenFolders = [dataDir]): Promise<string[]> {
  const attempts = ['sh', '-c', NATIVE_ATTEMPTS, 'sh', folder, `${process.pid}`] as const;
  const { output } = await run(isolated([...attempts], isolation, { hiddenFolders, script }));
  return output.split('\n');
}

/** Prints whether a port of this machine, or the socket at a path, can be connected to. */
function connectTo(target: number | string): [string, ...string[]] {
  const address = typeof target === 'number' ? { host: '127.0.0.1', port: target } : { path: target };
  const program = `const socket = require('node:net').connect(${JSON.stringify(address)});
    socket.on('connect', () => socket.end(() => console.log('connected')));
    socket.on('error', ({ code }) => console.log(code));`;
  return [process.execPath, '-e', program];
}

/** A folder with these programs only. */
async function programsIn(name: string, programs: string[]): Promise<string> {
  const bin = join(folder, name);
  await mkdir(bin);
  for (const each of programs) await symlink(await realpath(join('/usr/bin', each)), join(bin, each));
  return bin;
}

describe('the decoder’s command', () => {
  it('leaves a script no files, programs or network', async () => {
    const files = { hiddenFolders: [dataDir], script };
    const command = memoryLimited(isolated(restrictedNode(script), bestIsolation, files), 1024 * 1024);
    const { output, errors } = await run([...command, ...probe()]);
    expect(errors).toBe('');
    const denied = ['readSecret', 'listData', 'readOther', 'readEnvironment', 'write', 'run', 'work'];
    expect(JSON.parse(output)).toEqual({
      ...Object.fromEntries(denied.map((name) => [name, 'ERR_ACCESS_DENIED'])),
      connect: hasNamespaces ? 'ENETUNREACH' : 'done',
    });
  });

  it('is isolated as far as the system allows', async () => {
    expect(await findIsolation([dataDir, join(folder, 'missing')])).toBe(bestIsolation);
    const withoutMount = await programsIn('without-mount', ['unshare', 'setpriv', 'sh']);
    const noNetwork = await findIsolation([dataDir], { path: withoutMount });
    expect(noNetwork).toBe(hasNamespaces ? 'no-network' : 'none');
    const withoutUnshare = await programsIn('without-unshare', ['sh']);
    expect(await findIsolation([dataDir], { path: withoutUnshare })).toBe('none');

    const connect = connectTo((listening.address() as AddressInfo).port);
    const { output } = await run(isolated(connect, noNetwork));
    expect(output).toBe(noNetwork === 'no-network' ? 'ENETUNREACH' : 'connected');
    expect((await run(isolated(connect, 'none'))).output).toBe('connected');
  });

  it('survives signals, and ends when it is killed', async () => {
    const command = isolated(['sh', '-c', 'while echo; do sleep 0.05; done'], bestIsolation);
    const [program, ...args] = hasNamespaces
      ? command
      : ['sh', '-c', `trap '' HUP INT TERM; exec "$@"`, 'sh', ...command];
    const child = spawn(program, args, { env: { PATH: DECODER_PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    for (const ignored of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
      child.kill(ignored);
      await once(child.stdout, 'data');
      await once(child.stdout, 'data');
    }
    child.kill('SIGKILL');
    // When no process writes to its output.
    await once(child, 'close');
  });

  it('ends with the exit code of its program', async () => {
    const command = isolated(['sh', '-c', 'exit 7'], bestIsolation, { hiddenFolders: [dataDir] });
    expect((await run(memoryLimited(command, 1024 * 1024))).code).toBe(7);
  });
});

// Reported as skipped where the system forbids namespaces.
describe.runIf(hasNamespaces)('native code of the decoder', () => {
  it('can read its program, and cannot write, read other files, or signal the server', async () => {
    expect(await attemptAll('full')).toEqual(['read-program']);
    const withoutIsolation = await attemptAll('none');
    for (const attempt of [
      'write-program',
      'write-packages',
      'write-elsewhere',
      'read-settings',
      'read-data',
    ])
      expect(withoutIsolation).toContain(attempt);
    for (const attempt of ['read-system', 'read-environment', 'see-process', 'signal'])
      expect(withoutIsolation).toContain(attempt);
  });

  it('sees only the program of an app that is in a folder to hide, such as /run/media', async () => {
    expect(await attemptAll('full', [folder])).toEqual(['read-program']);
  });

  it('does not see a data folder within the program', async () => {
    const inProgram = join(folder, 'program/data');
    await mkdir(inProgram);
    await writeFile(join(inProgram, 'secret'), 'a secret');
    const list = async (hiddenFolders: string[]) =>
      (await run(isolated(['ls', inProgram], 'full', { hiddenFolders, script }))).output;
    expect(await list([inProgram])).toBe('');
    expect(await list([])).toBe('secret');
    expect(await findIsolation([join(folder, 'program')], { script })).toBe('no-network');
  });

  it('decodes what takes a temporary file', async () => {
    const create = { width: 10_000, height: 10_000, channels: 3 as const, background: 'red' };
    const bytes = await sharp({ create }).webp({ effort: 0 }).toBuffer();
    const decoder = startDecoderProcess(undefined, { isolation: 'full', hiddenFolders: [dataDir] });
    const answer = await decoder.ask({
      kind: 'render',
      bytes,
      renderings: [{ format: 'jpeg', width: null }],
    });
    await decoder.end();
    expect(answer).toMatchObject({ result: [expect.anything()] });
  });

  it('cannot connect to the sockets of other folders', async () => {
    const connect = connectTo(join(sockets, 'socket'));
    expect((await run(isolated(connect, 'full'))).output).toBe('ENOENT');
    expect((await run(isolated(connect, 'none'))).output).toBe('connected');
  });

  it('does not see the data folder of the running app', async () => {
    const server = await startTestServer();
    await addMemory(await server.signUp());
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const views: object[] = [];
    for (const pid of processes) {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      const isOurs = (await read('status')).includes(`\nPPid:\t${process.pid}\n`);
      if (!isOurs || !(await read('cmdline')).includes('decoder-process.js')) continue;
      const root = `/proc/${pid}/root`;
      views.push({
        hasSystem: existsSync(join(root, 'usr')),
        hasData: existsSync(join(root, server.dataDir)),
      });
    }
    expect(views).toContainEqual({ hasSystem: true, hasData: false });
    expect(await readdir(server.dataDir)).toContain('secrets');
  });
});
