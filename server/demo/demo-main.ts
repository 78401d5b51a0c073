import { runProcess } from '../app/run-process.ts';
import { startServer } from '../app/start-server.ts';
import { createDemoAccount, DEMO_ACCOUNT } from './create-demo-account.ts';

await runProcess(() =>
  startServer({
    prepare: async (context) => {
      await createDemoAccount(context);
      return [`Sign in with ${DEMO_ACCOUNT.email} and the password "${DEMO_ACCOUNT.password}"`];
    },
  }),
);
