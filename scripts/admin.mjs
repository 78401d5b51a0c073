// npm run admin: lists the administrators, or changes who is one; also while the app runs.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('admin-main');
