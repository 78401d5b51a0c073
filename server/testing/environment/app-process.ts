import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUNDLED_SCRIPTS_FOLDER } from '../../platform/process/bundled-script.ts';
import { projectRoot } from '../../platform/process/project-root.ts';

export type AppProcess = {
  origin: string;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

type Options = {
  /** Of Node. */
  args?: string[];
  /** Of standard output. */
  onLine?: (line: string) => void;
};

export async function startAppProcess(
  settings: Record<string, string>,
  { args = [join(BUNDLED_SCRIPTS_FOLDER, 'main.js')], onLine = () => undefined }: Options = {},
): Promise<AppProcess> {
  const app = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: {
      NODE_ENV: 'test',
      WEAK_PASSWORD_HASHES_FOR_TESTS: 'true',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(app, 'exit') as Promise<[number | null]>;
  const stop = async () => {
    app.kill('SIGTERM');
    return (await ended)[0];
  };
  const kill = async () => {
    app.kill('SIGKILL');
    await ended;
  };
  const lines = createInterface(app.stdout).on('line', onLine);
  const started = new Promise<string>((resolve) =>
    lines.on('line', (line) => {
      const origin = / (?:is at|listens on) (http:\S+)/.exec(line)?.[1];
      if (origin) resolve(origin);
    }),
  );
  const failed = ended.then(([code]) => {
    throw new Error(`The app ended while it started: exit code ${code}`);
  });
  return { origin: await Promise.race([started, failed]), stop, kill };
}
