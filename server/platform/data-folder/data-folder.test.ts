import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { StartupError } from '../process/startup-error.ts';

let parent: string;
let path: string;
const opened: DataFolder[] = [];

beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'mems-data-')));
  path = join(parent, 'data');
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await rm(parent, { recursive: true, force: true });
});

async function openIt(wait?: (ms: number) => Promise<void>): Promise<DataFolder> {
  const folder = await openDataFolder(path, wait);
  opened.push(folder);
  return folder;
}

const lockFile = () => join(path, 'lock');

type LockContent = { pid: number; startedAt: string | null; machine: string; id: string };
const readLock = async () => JSON.parse(await readFile(lockFile(), 'utf8')) as LockContent;

/** The lock as a process would leave it that was killed. */
async function leaveLock(changes: Partial<LockContent>) {
  const folder = await openDataFolder(path);
  const content = await readLock();
  await folder.close();
  await writeFile(lockFile(), JSON.stringify({ ...content, id: 'left-behind', ...changes }));
}

async function mode(file: string) {
  return ((await stat(file)).mode & 0o777).toString(8);
}

describe('openDataFolder', () => {
  it('creates a private folder with a version file', async () => {
    const folder = await openIt();
    expect(folder.path).toBe(path);
    expect(await readFile(join(path, 'VERSION'), 'utf8')).toBe('1\n');
    expect(await mode(path)).toBe('700');
    expect(await mode(folder.objectsDir)).toBe('700');
  });

  it('generates each secret once, in a file with mode 0600', async () => {
    const first = await openIt();
    const secret = await first.secret('session');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(await first.secret('upload')).not.toBe(secret);
    expect(await mode(join(path, 'secrets', 'session'))).toBe('600');
    expect(await mode(join(path, 'secrets'))).toBe('700');
    await first.close();
    expect(await (await openIt()).secret('session')).toBe(secret);
  });

  it('rejects an empty secret', async () => {
    const folder = await openIt();
    await writeFile(join(path, 'secrets', 'session'), '\n');
    await expect(folder.secret('session')).rejects.toThrow(/secrets\/session is empty/);
  });

  it('rejects another version and changes nothing', async () => {
    await mkdir(path);
    await writeFile(join(path, 'VERSION'), '2\n');
    await expect(openIt()).rejects.toThrow(/has version 2; this program reads version 1/);
    expect(await readdir(path)).toEqual(['VERSION']);
  });

  it.each([
    ['16', /from Postgres 17\.\nNothing was changed\. Start a release that brings Postgres 17 first/],
    [
      '19',
      /written by Postgres 19; this program brings Postgres 18\.\nNothing was changed\. Start it with the release/,
    ],
  ])('rejects a database of Postgres %s and changes nothing', async (major, message) => {
    await mkdir(join(path, 'postgres'), { recursive: true });
    await writeFile(join(path, 'VERSION'), '1\n');
    await writeFile(join(path, 'postgres', 'PG_VERSION'), `${major}\n`);
    await expect(openIt()).rejects.toThrow(message);
    expect((await readdir(path)).sort()).toEqual(['VERSION', 'postgres']);
  });

  it('rejects a folder with other files and changes nothing', async () => {
    await mkdir(path);
    await writeFile(join(path, 'thesis.txt'), 'years of work');
    await expect(openIt()).rejects.toThrow(/holds other things \(thesis.txt\)/);
    expect(await readdir(path)).toEqual(['thesis.txt']);
  });

  it('continues an interrupted first start', async () => {
    await leaveLock({ pid: 2 ** 22 + 1 });
    await rm(join(path, 'VERSION'));
    await rm(join(path, 'secrets'), { recursive: true });
    await rm(join(path, 'objects'), { recursive: true });
    await openIt();
    expect(await readFile(join(path, 'VERSION'), 'utf8')).toBe('1\n');
  });

  it('reports in one line why a folder cannot be used', async () => {
    await writeFile(join(parent, 'file'), '');
    path = join(parent, 'file', 'data');
    const failure = await openIt().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(/^The data folder .* cannot be used: .*\.$/);
  });
});

describe('the replacement of the cluster', () => {
  const SWITCHING = '1, moving to Postgres 18';

  async function putClusters(clusters: Record<string, string>): Promise<void> {
    for (const [name, major] of Object.entries(clusters)) {
      await mkdir(join(path, name), { recursive: true });
      await writeFile(join(path, name, 'PG_VERSION'), `${major}\n`);
    }
  }

  async function expectReplaced(): Promise<void> {
    const clusters = (await readdir(path)).filter((name) => name.startsWith('postgres'));
    expect(clusters.sort()).toEqual(['postgres', 'postgres-17']);
    expect(await readFile(join(path, 'postgres', 'PG_VERSION'), 'utf8')).toBe('18\n');
    expect(await readFile(join(path, 'postgres-17', 'PG_VERSION'), 'utf8')).toBe('17\n');
    expect(await readFile(join(path, 'VERSION'), 'utf8')).toBe('1\n');
  }

  it('keeps the old one beside the new one', async () => {
    const folder = await openIt();
    await putClusters({ postgres: '17', 'postgres.next': '18' });
    await folder.replacePostgres();
    await expectReplaced();
  });

  it.each([
    ['before the first rename', { postgres: '17', 'postgres.next': '18' }],
    ['between the renames', { 'postgres-17': '17', 'postgres.next': '18' }],
    ['after the last rename', { postgres: '18', 'postgres-17': '17' }],
  ])('is finished by the next start when it was interrupted %s', async (_, clusters) => {
    await putClusters(clusters);
    await writeFile(join(path, 'VERSION'), `${SWITCHING}\n`);
    await openIt();
    await expectReplaced();
  });

  it('is not begun by an opening that finds an unfinished copy', async () => {
    await (await openDataFolder(path)).close();
    await putClusters({ postgres: '17', 'postgres.next': '18' });
    await openIt();
    expect(await readFile(join(path, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n');
  });

  it('makes other releases reject the folder until it is finished', async () => {
    const folder = await openIt();
    await putClusters({ postgres: '17', 'postgres.next': '18', 'postgres-17': '17' });
    // The name of the kept cluster is taken, so the first rename fails.
    await expect(folder.replacePostgres()).rejects.toThrow(/not empty/i);
    expect(await readFile(join(path, 'VERSION'), 'utf8')).toBe(`${SWITCHING}\n`);
  });
});

describe('the lock of the data folder', () => {
  it('names the process, the time and the address of its holder', async () => {
    const holder = await openIt();
    await expect(openIt()).rejects.toThrow(`in use by process ${process.pid}, since 20`);
    holder.announce('http://127.0.0.1:5000');
    await expect(openIt()).rejects.toThrow('serving http://127.0.0.1:5000');
  });

  it('is released when the folder is closed', async () => {
    const folder = await openIt();
    await folder.close();
    expect((await readdir(path)).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('is taken over from a killed process', async () => {
    const killed = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(killed, 'spawn');
    const pid = killed.pid!;
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await leaveLock({ pid, startedAt: '1' });
    await openIt();
    expect((await readLock()).pid).toBe(process.pid);
  });

  it('is taken over when another process has reused its pid', async () => {
    await leaveLock({ pid: process.pid, startedAt: 'long ago' });
    await openIt();
    expect((await readLock()).id).not.toBe('left-behind');
  });

  it('is not taken over from another machine with a heartbeat', async () => {
    await leaveLock({ machine: 'elsewhere 1234' });
    let waitedMs = 0;
    const untilLastHeartbeat = async (ms: number) => {
      waitedMs += ms;
      if (waitedMs === 12_000) await utimes(lockFile(), new Date(0), new Date(0));
    };
    await expect(openIt(untilLastHeartbeat)).rejects.toThrow(/ on elsewhere, since/);
  });

  it('is taken over from another machine without a heartbeat', async () => {
    await leaveLock({ machine: 'elsewhere 1234' });
    await openIt(() => Promise.resolve());
    expect((await readLock()).machine).not.toContain('elsewhere');
  });

  it('is acquired by one of several concurrent processes, without leftovers of the others', async () => {
    for (let round = 0; round < 10; round += 1) {
      if (round % 2) await leaveLock({ pid: process.pid, startedAt: 'long ago' });
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => openDataFolder(path)));
      const winners = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      opened.push(...winners);
      expect(winners).toHaveLength(1);
      for (const each of attempts)
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(StartupError);
      expect((await readdir(path)).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
      await winners[0]!.close();
    }
  });
});
