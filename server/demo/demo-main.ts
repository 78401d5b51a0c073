import { runProgram } from '../app/run-process.ts';
import { serveAfter } from '../app/start-server.ts';
import { createDemoAccount, DEMO_ACCOUNT } from './create-demo-account.ts';

await runProgram(
  () => (program) =>
    serveAfter(program, async () => {
      await createDemoAccount(program.composition.context);
      return [`Sign in with ${DEMO_ACCOUNT.email} and the password "${DEMO_ACCOUNT.password}"`];
    }),
);
