// npm run demo: the app with a filled demo account, in its own data folder.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { becomeProgram } = await import('./lib/become-program.mjs');
// Override the environment and .env, which may point at real data.
const demoSettings = { DATA_DIR: '.demo', DATABASE_URL: '', OBJECT_STORAGE: 'disk', PUBLIC_URL: '' };
await becomeProgram('demo-main', demoSettings);
