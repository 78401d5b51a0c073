import { runProcess, type EntryPoint } from '../app/run-process.ts';
import { seedAccount } from './seed-account.ts';
import { parseSeedOptions, type SeedOptions } from './seed-options.ts';

// The running app takes the jobs.
await runProcess(() => seed(parseSeedOptions(process.argv.slice(2))), { hasWorkers: false });

function seed(options: SeedOptions): EntryPoint {
  return async ({ composition: { context }, shutdown }) => {
    let isEnded = false;
    void shutdown.then(() => (isEnded = true));
    const startedAt = Date.now();
    const { user, added, password } = await seedAccount(context, options, {
      report: (line) => console.log(line),
      isEnded: () => isEnded,
    });
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`Added ${added} memories in ${seconds} s.${isEnded ? ' Run it again to continue.' : ''}`);
    const secret = password ? `the password "${password}"` : 'its password';
    console.log(`Sign in with ${user.email} and ${secret}`);
  };
}
