import { runProcess } from '../app/run-process.ts';
import { startServer } from '../app/start-server.ts';
import { createDemoAccount, DEMO_ACCOUNT } from './create-demo-account.ts';

await runProcess(() =>
  startServer({
    prepare: async (context) => {
      await createDemoAccount(context);
      const role = context.config.http.isOnlyLocal ? ', an administrator,' : '';
      return [`Sign in with ${DEMO_ACCOUNT.email}${role} and the password "${DEMO_ACCOUNT.password}"`];
    },
  }),
);
