import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

/** Writes a tar as fast as `out` takes it. */
export function createTarWriter(out: Writable) {
  const tar = pack();
  const isStandardOutput = out === process.stdout;
  const written = pipeline(tar, out, { end: !isStandardOutput });
  // Reported by the next call.
  written.catch(() => undefined);

  /** An error of `out` destroys the tar; it explains more than the errors that follow. */
  async function orErrorOfOut<Result>(act: Promise<Result>): Promise<Result> {
    try {
      return await act;
    } catch (error) {
      if (tar.destroyed) await written;
      throw error;
    }
  }

  function headerOf(name: string, size: number) {
    return { name, size, mode: 0o600, mtime: new Date(0) };
  }

  async function writeStream(name: string, size: number, body: AsyncIterable<Buffer>): Promise<string> {
    const hash = createHash('sha256');
    let finish: (error?: Error | null) => void = () => undefined;
    const finished = new Promise<void>((resolve, reject) => {
      finish = (error) => (error ? reject(error) : resolve());
    });
    const entry = tar.entry(headerOf(name, size), finish);
    entry.on('error', () => undefined);
    finished.catch(() => undefined);
    for await (const chunk of body) {
      hash.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), finished]);
    }
    entry.end(null);
    await finished;
    return hash.digest('hex');
  }

  return {
    /** @returns the SHA-256 */
    async write(name: string, body: Buffer): Promise<string> {
      const finished = new Promise<void>((resolve, reject) => {
        tar.entry(headerOf(name, body.length), body, (error) => (error ? reject(error) : resolve()));
      });
      await orErrorOfOut(finished);
      return createHash('sha256').update(body).digest('hex');
    },
    /** @returns the SHA-256 @throws if the body has another size */
    writeStream: (name: string, size: number, body: Readable) => orErrorOfOut(writeStream(name, size, body)),
    async end(): Promise<void> {
      tar.finalize();
      await written;
    },
    /** Leaves `out` incomplete. */
    destroy(): void {
      tar.destroy();
    },
  };
}

export type TarWriter = ReturnType<typeof createTarWriter>;
