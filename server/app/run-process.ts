import { inspect } from 'node:util';
import { compose, type Composition, type Overrides } from './compose.ts';
import { readConfig, type Config } from '../platform/config/config.ts';
import { shutdownSignal } from './signals.ts';
import { redactSecrets } from '../platform/logging/redact-secrets.ts';
import { StartupError } from '../platform/process/startup-error.ts';

export const SHUTDOWN_TIMEOUT_MS = 10_000;

/** The work of one process. May return the timeout for closing, in milliseconds. */
export type EntryPoint = (process: {
  config: Config;
  composition: Composition;
  /** Resolves with the first shutdown signal. */
  shutdown: Promise<string>;
}) => Promise<number | void>;

/** Composes the server, runs an entry point and closes the server. Prints a StartupError without its stack. */
export async function runProcess(parse: () => EntryPoint, overrides: Overrides = {}): Promise<never> {
  try {
    await run(parse(), overrides);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : redactSecrets(inspect(error)));
    process.exit(1);
  }
}

async function run(entryPoint: EntryPoint, overrides: Overrides): Promise<void> {
  // Photos, secrets and stored email are for this user of the machine only.
  process.umask(0o077);
  const config = readConfig();
  const shutdown = shutdownSignal();
  // Exit even if the start or the shutdown hangs.
  void shutdown.then(() => setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS * 1.5).unref());
  const composition = await compose(config, { report: (line) => console.log(line), ...overrides });
  const timeoutMs = await entryPoint({ config, composition, shutdown }).catch(async (error: unknown) => {
    await composition.close(0);
    throw error;
  });
  await composition.close(timeoutMs ?? 0);
}
