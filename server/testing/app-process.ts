import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { projectRoot } from '../project-root.ts';

export type AppProcess = {
  origin: string;
  /** Without any warning: SIGKILL. Resolves once it has ended. */
  kill(): Promise<void>;
};

const FOLDER = join(projectRoot, '.cache/app-process');

/** Bundles the app as `npm start` does: it starts in half the time that its sources take. */
export async function bundleApp(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(projectRoot, 'scripts/lib/bundle-server.mjs'), FOLDER]);
}

/** The app in a process of its own, for tests that end it in the middle of something. */
export async function startAppProcess(settings: Record<string, string>): Promise<AppProcess> {
  const app = spawn(process.execPath, [join(FOLDER, 'main.js')], {
    cwd: projectRoot,
    env: { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(app, 'exit');
  const kill = async () => {
    app.kill('SIGKILL');
    await ended;
  };
  for await (const line of createInterface(app.stdout)) {
    const origin = / is at (http:\S+)/.exec(line)?.[1];
    if (origin) return { origin, kill };
  }
  throw new Error('The app ended while it started');
}
