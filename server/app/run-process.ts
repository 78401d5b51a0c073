import { compose, type Composition, type Overrides } from './compose.ts';
import { readConfig, type Config } from '../platform/config/config.ts';
import { endOnSignals } from './signals.ts';
import { StartupError } from '../platform/startup-error.ts';

export const SHUTDOWN_TIMEOUT_MS = 10_000;

export type Program = {
  config: Config;
  composition: Composition;
  /** The first signal that asks the process to end. */
  endRequested: Promise<string>;
};

/** What a program does; may answer how many milliseconds closing may take. */
export type Work = (program: Program) => Promise<number | void>;

/**
 * What every program of the server has in common: the configuration is read, everything put together and let go of
 * again, and what the person at the terminal can mend is said in plain words. `begin` comes before all of that.
 */
export async function runProcess(begin: () => Work, overrides: Overrides = {}): Promise<never> {
  try {
    await run(begin(), overrides);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error);
    process.exit(1);
  }
}

async function run(work: Work, overrides: Overrides): Promise<void> {
  const config = readConfig();
  const endRequested = endOnSignals();
  // A start that hangs, or an end that does, must not outlive that request by much.
  void endRequested.then(() => setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS * 1.5).unref());
  const composition = await compose(config, { report: (line) => console.log(line), ...overrides });
  const timeoutMs = await work({ config, composition, endRequested }).catch(async (error: unknown) => {
    await composition.close(0);
    throw error;
  });
  await composition.close(timeoutMs ?? 0);
}
