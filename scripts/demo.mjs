// npm run demo: the app with a demo account, in a separate data folder.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { becomeProgram } = await import('./lib/become-program.mjs');
// Ignores the app's configuration, so that its data stays untouched.
const ownData = { DATA_DIR: '.demo', DATABASE_URL: '', OBJECT_STORAGE: 'disk', PUBLIC_URL: '' };
await becomeProgram('demo-main', ownData);
