import { runProgram } from './run-process.ts';
import { serve } from './start-server.ts';

await runProgram(() => serve);
