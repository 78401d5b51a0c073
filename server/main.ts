import { runProgram } from './program.ts';
import { serve } from './serve.ts';

await runProgram(() => serve);
