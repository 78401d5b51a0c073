import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemory } from '../../testing/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { canIsolate, isolated, memoryLimited, restrictedNode } from './decoder-command.ts';

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
let script: string;
const listening = createServer((socket) => socket.end());

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mems-decoder-')));
  dataDir = join(folder, 'data');
  script = join(folder, 'program', 'probe.mjs');
  await mkdir(join(dataDir, 'secrets'), { recursive: true });
  await mkdir(join(folder, 'program'));
  await writeFile(join(dataDir, 'secrets/session'), 'a secret');
  await writeFile(script, PROBE);
  await once(listening.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  listening.close();
  await rm(folder, { recursive: true, force: true });
});

async function run([program = '', ...args]: string[], path = '/usr/sbin:/usr/bin:/sbin:/bin') {
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

describe('the decoder’s command', () => {
  it('leaves a script no files, programs or network', async () => {
    const command = memoryLimited(isolated(restrictedNode(script), dataDir), 1024 * 1024);
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
    const { output } = await run(isolated([...readAll], dataDir));
    const seen = (await hasNamespaces()) ? '' : (expect.stringContaining('a secret') as string);
    expect(output).toEqual(seen);
    const escape = await run(
      isolated(['sh', '-c', `umount ${dataDir}; unshare -rm umount ${dataDir}; ls ${dataDir}`], dataDir),
    );
    if (await hasNamespaces()) expect(escape.output).toBe('');
    expect((await run(['cat', join(dataDir, 'secrets/session')])).output).toBe('a secret');
  });

  it('runs as it is where namespaces are missing, and without a hidden folder', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await symlink('/bin/sh', join(bin, 'sh'));
    const echo = [process.execPath, '-p', '"decoded"'] as [string, ...string[]];
    expect(await run(isolated(echo, dataDir), bin)).toMatchObject({ code: 0, output: 'decoded' });
    expect(await run(isolated(echo, null))).toMatchObject({ code: 0, output: 'decoded' });
    expect(await run(isolated(echo, join(folder, 'missing')))).toMatchObject({ code: 0, output: 'decoded' });
  });

  it('is known beforehand to be isolated or not', async () => {
    expect(await canIsolate(dataDir)).toBe(await hasNamespaces());
    expect(await canIsolate(null)).toBe(await hasNamespaces());
    expect(await canIsolate(dataDir, join(folder, 'missing'))).toBe(false);
    expect(await canIsolate(join(folder, 'missing'))).toBe(false);
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
    expect((await run(memoryLimited(isolated(['sh', '-c', 'exit 7'], dataDir), 1024 * 1024))).code).toBe(7);
  });
});
