import { runProgram, type Work } from '../app/run-process.ts';
import { seedAccount } from './seed-account.ts';
import { parseSeedOptions, type SeedOptions } from './seed-options.ts';

// Without workers: the app runs its jobs, possibly at the same time.
await runProgram(() => seed(parseSeedOptions(process.argv.slice(2))), { isWorking: false });

function seed(options: SeedOptions): Work {
  return async ({ composition: { context }, endRequested }) => {
    let isEnded = false;
    void endRequested.then(() => (isEnded = true));
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
