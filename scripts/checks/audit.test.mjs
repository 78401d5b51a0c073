import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { auditPackages } from './audit.mjs';

const ADVISORIES = '/-/npm/v1/security/advisories/bulk';
const servers = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** With one package: of ours, npm would read hundreds in each test. */
const folder = mkdtempSync(join(tmpdir(), 'mems-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));
const dependencies = { nodemailer: '9.1.0' };
const lock = {
  lockfileVersion: 3,
  packages: { '': { dependencies }, 'node_modules/nodemailer': { version: '9.1.0' } },
};
writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));

/** npm audit of it, at a registry with these advisories. */
async function auditWith(respond) {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'application/json');
    if (request.url === ADVISORIES) return respond(response);
    response.end(
      JSON.stringify({ name: decodeURIComponent(request.url.slice(1)), versions: {}, 'dist-tags': {} }),
    );
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return auditAt(`http://127.0.0.1:${server.address().port}`);
}

function auditAt(registry) {
  const { PATH, HOME } = process.env;
  return auditPackages({ PATH, HOME, npm_config_registry: registry }, folder);
}

const nodemailer = (vulnerable_versions) => ({
  nodemailer: [
    {
      id: 1,
      url: 'https://advisory.example/1',
      title: 'Slow addresses',
      severity: 'high',
      vulnerable_versions,
    },
  ],
});

it('passes without advisories for the installed versions', async () => {
  const respond = (response) => response.end(JSON.stringify(nodemailer('<9.1.0')));
  expect(await auditWith(respond)).toEqual({ isAnswered: true, isPassed: true, text: 'no advisories' });
});

it('fails and names the advisories', async () => {
  const audit = await auditWith((response) => response.end(JSON.stringify(nodemailer('*'))));
  expect(audit).toMatchObject({ isAnswered: true, isPassed: false });
  expect(audit.text).toContain('nodemailer (high): Slow addresses https://advisory.example/1');
});

it('says so when the registry does not answer', async () => {
  const rejected = await auditWith((response) => response.writeHead(405).end());
  expect(rejected).toMatchObject({ isAnswered: false, isPassed: false });
  expect(rejected.text).toMatch(/^405 Method Not Allowed/);
  const unreachable = await auditAt('http://127.0.0.1:1');
  expect(unreachable).toMatchObject({ isAnswered: false, isPassed: false });
  expect(unreachable.text).toContain('127.0.0.1:1');
});
