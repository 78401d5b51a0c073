// npm run mail -- --to …@in.mems.localhost --from you@home.example --subject "Rex: first snow" photo.jpg: an email as from
// a mail program, to the app that runs here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode } from './lib/node-version.mjs';
import { root } from './lib/root.mjs';
import { orEnd } from './lib/run.mjs';

requireNode();
// As for the app itself: the real environment wins, ENV_FILE names another file.
const envFile = process.env.ENV_FILE ?? join(root, '.env');
if (envFile && existsSync(envFile)) process.loadEnvFile(envFile);
const { sendMail } = await import('./lib/send-mail.mjs');
console.log(await orEnd(sendMail(process.argv.slice(2))));
