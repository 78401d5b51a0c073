import { runProgram } from '../program.ts';
import { serveAfter } from '../serve.ts';
import { DEMO_ACCOUNT, makeDemo } from './make-demo.ts';

await runProgram(
  () => (program) =>
    serveAfter(program, async () => {
      await makeDemo(program.composition.context, { report: (line) => console.log(line) });
      return [`Sign in with ${DEMO_ACCOUNT.email} and the password "${DEMO_ACCOUNT.password}"`];
    }),
);
