// npm run demo: the app with a filled demo account, in its own data folder.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
// Whatever the app here is configured for, its data stays out of this.
const ownData = { DATA_DIR: '.demo', DATABASE_URL: '', OBJECT_STORAGE: 'disk', PUBLIC_URL: '' };
await execServer('demo-main', ownData);
