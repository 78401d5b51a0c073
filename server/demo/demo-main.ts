import { runProcess } from '../app/run-process.ts';
import { startServer } from '../app/start-server.ts';
import { DEMO_ACCOUNT, makeDemo } from './make-demo.ts';

await runProcess(() =>
  startServer(async (context) => {
    await makeDemo(context, { report: (line) => console.log(line) });
    return [`Sign in with ${DEMO_ACCOUNT.email} and the password "${DEMO_ACCOUNT.password}"`];
  }),
);
