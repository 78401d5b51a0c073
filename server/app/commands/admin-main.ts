import { runAdminCommand } from '../../features/accounts/admin/admin-command.ts';
import { createBaseUrl } from '../../platform/base-url.ts';
import { readConfig } from '../../platform/config/config.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { openRunningDatabase } from '../compose-data.ts';
import { runProcess } from '../run-process.ts';

const args = process.argv.slice(2);

// A running app has locked its data folder; otherwise this process starts the database.
if (!(await runBesideApp())) {
  await runProcess(
    () =>
      ({ composition }) =>
        run(composition.context),
    { hasWorkers: false },
  );
}

async function runBesideApp(): Promise<boolean> {
  try {
    const config = readConfig();
    const running = await openRunningDatabase(config);
    if (!running) return false;
    const mailer = { isEmbedded: config.email.transport.kind !== 'smtp' };
    await run({ ...running, clock: systemClock, mailer, baseUrl: createBaseUrl(config) }).finally(() =>
      running.close(),
    );
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error);
    process.exitCode = 1;
  }
  return true;
}

async function run(context: Parameters<typeof runAdminCommand>[0]): Promise<void> {
  for (const line of await runAdminCommand(context, args)) console.log(line);
}
