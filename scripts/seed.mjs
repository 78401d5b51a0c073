// npm run seed -- --memories 10000: fills an account with many memories, in the data folder of npm start.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('seed-main');
