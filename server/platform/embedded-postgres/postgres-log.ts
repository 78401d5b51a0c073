import { copyFile, open, stat, truncate } from 'node:fs/promises';

export type PostgresLog = {
  /** For a child process to write to. */
  fd: number;
  /** What was written last, for an error message. */
  tail(): Promise<string>;
  close(): Promise<void>;
};

const LONGEST = 2 * 1024 * 1024;
const TAIL = 2_000;

/** Postgres's own words, in a file that does not grow without end: past 2 MiB it is kept once more as `.1`. */
export async function openPostgresLog(file: string): Promise<PostgresLog> {
  const shorten = async () => {
    if ((await stat(file)).size <= LONGEST) return;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  };
  const handle = await open(file, 'a+', 0o600);
  await shorten();
  const timer = setInterval(() => void shorten().catch(() => undefined), 60_000).unref();
  return {
    fd: handle.fd,
    async tail() {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL), 0, TAIL, Math.max(0, size - TAIL));
      return buffer.toString('utf8', 0, bytesRead).trim();
    },
    async close() {
      clearInterval(timer);
      await handle.close();
    },
  };
}
