import type { CDPSession } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes each painted frame to `folder` as a JPEG, named by its milliseconds since the first. Returns the function that ends it. */
export async function startFilm(session: CDPSession, folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const writing: Promise<void>[] = [];
  let startedAt: number | undefined;
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const seconds = metadata.timestamp ?? 0;
    startedAt ??= seconds;
    const name = `${String(Math.round((seconds - startedAt) * 1000)).padStart(5, '0')}.jpg`;
    writing.push(writeFile(join(folder, name), Buffer.from(data, 'base64')));
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 80 });
  return async () => {
    await session.send('Page.stopScreencast');
    await Promise.all(writing);
  };
}
