// npm start: the app.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { becomeProgram } = await import('./lib/become-program.mjs');
await becomeProgram('main');
