import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
const ownData = { DATA_DIR: '.demo', DATABASE_URL: '', OBJECT_STORAGE: 'disk', PUBLIC_URL: '' };
await execServer('demo-main', ownData);
