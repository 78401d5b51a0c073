import { runProcess } from './run-process.ts';
import { serve } from './start-server.ts';

await runProcess(() => serve);
