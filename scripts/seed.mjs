// npm run seed -- --memories 10000: fills an account with many memories, in the data folder of npm start.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { becomeProgram } = await import('./lib/become-program.mjs');
await becomeProgram('seed-main');
