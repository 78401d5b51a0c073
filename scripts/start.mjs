import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('main');
