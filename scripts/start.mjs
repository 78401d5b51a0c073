// npm start: the app.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { becomeProgram } = await import('./lib/exec-server.mjs');
await becomeProgram('main');
