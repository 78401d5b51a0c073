import { runAdminCommand } from '../features/admin/admin-command.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
import { StartupError } from '../platform/startup-error.ts';
import { openRunningDatabase } from './compose.ts';
import { runProcess } from './run-process.ts';

const args = process.argv.slice(2);

// A running app has locked its data folder; otherwise this process starts the database.
if (!(await runBesideApp())) {
  await runProcess(
    () =>
      ({ composition }) =>
        run(composition.context.db),
    { hasWorkers: false },
  );
}

async function runBesideApp(): Promise<boolean> {
  try {
    const database = await openRunningDatabase(readConfig());
    if (!database) return false;
    await run(database.db).finally(() => database.close());
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error);
    process.exitCode = 1;
  }
  return true;
}

async function run(db: Db): Promise<void> {
  for (const line of await runAdminCommand(db, args)) console.log(line);
}
