// npm run seed -- --memories 10000: fills an account for tries at size, in the data that npm start would use.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('seed-main');
