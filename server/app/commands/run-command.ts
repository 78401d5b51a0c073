import { inspect } from 'node:util';
import { redactSecrets } from '../../platform/logging/redact-secrets.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import { shutdownSignal } from '../signals.ts';

/** A command that does not compose the server. A signal ends it at once: what it leaves, its next run clears away. */
export async function runCommand(act: () => Promise<void>): Promise<never> {
  // Backups, photos and secrets are for this user of the machine only.
  process.umask(0o077);
  void shutdownSignal().then(() => process.exit(1));
  try {
    await act();
    process.exit(0);
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : redactSecrets(inspect(error)));
    process.exit(1);
  }
}
