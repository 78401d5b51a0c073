import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemory } from '../../testing/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { DECODER_PATH, findIsolation, isolated, memoryLimited, restrictedNode } from './decoder-command.ts';

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

let folder: string;
let dataDir: string;
let sockets: string;
let script: string;
const listening = createServer((socket) => socket.end());
const listeningInFolder = createServer((socket) => socket.end());

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mems-decoder-')));
  dataDir = join(folder, 'data');
  sockets = join(folder, 'sockets');
  script = join(folder, 'program', 'probe.mjs');
  await mkdir(join(dataDir, 'secrets'), { recursive: true });
  await mkdir(sockets);
  await mkdir(join(folder, 'program'));
  await writeFile(join(dataDir, 'secrets/session'), 'a secret');
  await writeFile(script, PROBE);
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
const hasNamespaces = async () =>
  (await run(['unshare', '--user', '--map-root-user', '--net', '--mount', 'true'])).code === 0;
const bestIsolation = async () => ((await hasNamespaces()) ? 'full' : 'none');

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
    const isolation = await bestIsolation();
    const command = memoryLimited(isolated(restrictedNode(script), isolation, [dataDir]), 1024 * 1024);
    const { output, errors } = await run([...command, ...probe()]);
    expect(errors).toBe('');
    const denied = ['readSecret', 'listData', 'readOther', 'readEnvironment', 'write', 'run', 'work'];
    expect(JSON.parse(output)).toEqual({
      ...Object.fromEntries(denied.map((name) => [name, 'ERR_ACCESS_DENIED'])),
      connect: (await hasNamespaces()) ? 'ENETUNREACH' : 'done',
    });
  });

  it('hides the data folder and the server’s environment from native code, too', async () => {
    const readAll = ['sh', '-c', `cat ${dataDir}/secrets/session; cat /proc/${process.pid}/environ`] as const;
    const isolation = await bestIsolation();
    const { output } = await run(isolated([...readAll], isolation, [dataDir]));
    const seen = (await hasNamespaces()) ? '' : (expect.stringContaining('a secret') as string);
    expect(output).toEqual(seen);
    const escape = await run(
      isolated(['sh', '-c', `umount ${dataDir}; unshare -rm umount ${dataDir}; ls ${dataDir}`], isolation, [
        dataDir,
      ]),
    );
    if (await hasNamespaces()) expect(escape.output).toBe('');
    expect((await run(['cat', join(dataDir, 'secrets/session')])).output).toBe('a secret');
  });

  it('hides the sockets of a folder, and skips a folder that is missing', async () => {
    const isolation = await bestIsolation();
    const hidden = [join(folder, 'missing'), sockets];
    const { output } = await run(isolated(connectTo(join(sockets, 'socket')), isolation, hidden));
    expect(output).toBe(isolation === 'full' ? 'ENOENT' : 'connected');
  });

  it('is isolated as far as the system allows', async () => {
    const isolation = await bestIsolation();
    expect(await findIsolation([dataDir, join(folder, 'missing')])).toBe(isolation);
    const withoutMount = await programsIn('without-mount', ['unshare', 'setpriv', 'sh']);
    const noNetwork = await findIsolation([dataDir], { path: withoutMount });
    expect(noNetwork).toBe(isolation === 'full' ? 'no-network' : 'none');
    const withoutUnshare = await programsIn('without-unshare', ['sh']);
    expect(await findIsolation([dataDir], { path: withoutUnshare })).toBe('none');

    const connect = connectTo((listening.address() as AddressInfo).port);
    const { output } = await run(isolated(connect, noNetwork));
    expect(output).toBe(noNetwork === 'no-network' ? 'ENETUNREACH' : 'connected');
    expect((await run(isolated(connect, 'none'))).output).toBe('connected');
  });

  it('hides no folder with the app or Node in it', async () => {
    const best = (await bestIsolation()) === 'full' ? 'no-network' : 'none';
    expect(await findIsolation([join(folder, 'program')], { script })).toBe(best);
    expect(await findIsolation([dirname(process.execPath)])).toBe(best);
  });

  it('cannot signal other processes, and ends when it is killed', async () => {
    const isolation = await bestIsolation();
    if (isolation === 'none') return;
    const other = spawn('sleep', ['60']);
    const signal = await run(
      isolated(['sh', '-c', `kill -0 ${other.pid} 2>/dev/null || echo none`], isolation),
    );
    expect(signal.output).toBe('none');
    const marker = join(folder, 'alive');
    const command = isolated(['sh', '-c', `while :; do echo >> ${marker}; sleep 0.05; done`], isolation);
    const [program, ...args] = command;
    const child = spawn(program, args, { env: { PATH: DECODER_PATH }, stdio: 'ignore' });
    const size = () =>
      stat(marker).then(
        (file) => file.size,
        () => 0,
      );
    for (const ignored of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
      const before = await size();
      await expect.poll(size).toBeGreaterThan(before);
      child.kill(ignored);
    }
    const before = await size();
    await expect.poll(size).toBeGreaterThan(before + 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(async () => (await size()) === (await sleep(200).then(size))).toBe(true);
    other.kill();
  });

  it('hides the data folder of the running app', async () => {
    const server = await startTestServer();
    await addMemory(await server.signUp());
    const children = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const views: string[][] = [];
    for (const pid of children) {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      const isOurs = (await read('status')).includes(`\nPPid:\t${process.pid}\n`);
      if (isOurs && (await read('cmdline')).includes('decoder-process.js'))
        views.push(await readdir(`/proc/${pid}/root${await realpath(server.dataDir)}`));
    }
    if (await hasNamespaces()) expect(views).toContainEqual([]);
    expect(await readdir(server.dataDir)).toContain('secrets');
  });

  it('ends with the exit code of its program', async () => {
    const command = isolated(['sh', '-c', 'exit 7'], await bestIsolation(), [dataDir]);
    expect((await run(memoryLimited(command, 1024 * 1024))).code).toBe(7);
  });
});
