// npm run text -- --from +12065550123 --text "Rex: first snow" photo.jpg: a text as from a phone, to the app that runs here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode } from './lib/node-version.mjs';
import { root } from './lib/root.mjs';
import { orEnd } from './lib/run.mjs';

requireNode();
// As for the app itself: the real environment wins, ENV_FILE names another file.
const envFile = process.env.ENV_FILE ?? join(root, '.env');
if (envFile && existsSync(envFile)) process.loadEnvFile(envFile);
const { sendText } = await import('./lib/send-text.mjs');
console.log(await orEnd(sendText(process.argv.slice(2))));
