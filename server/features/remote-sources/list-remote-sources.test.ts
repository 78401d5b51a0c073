import { expect, it } from 'vitest';
import { parseConfig } from '../../platform/config/config.ts';
import { ALL_VENDORS } from '../../testing/vendors/vendors.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { listRemoteSources } from './list-remote-sources.ts';

const sourcesOf = (environment: NodeJS.ProcessEnv) =>
  listRemoteSources(parseConfig({ REMOTE_LINKS: 'false', ...environment }).remoteSources);

it('lists no source without its keys', () => {
  expect(sourcesOf({})).toEqual([]);
  expect(sourcesOf({ GOOGLE_PICKER_CLIENT_ID: 'id' })).toEqual([
    { source: 'google-photos-picker', clientId: 'id' },
  ]);
});

it('lists all sources with the public keys only', () => {
  const clientId = ALL_VENDORS.GOOGLE_PICKER_CLIENT_ID;
  expect(sourcesOf({ ...ALL_VENDORS, REMOTE_LINKS: 'true' })).toEqual([
    { source: 'url' },
    { source: 'google-photos-picker', clientId },
    {
      source: 'google-drive-picker',
      clientId,
      apiKey: ALL_VENDORS.GOOGLE_PICKER_API_KEY,
      appId: ALL_VENDORS.GOOGLE_PICKER_APP_ID,
    },
    { source: 'dropbox' },
    { source: 'onedrive' },
    { source: 'google-drive' },
  ]);
});

it('lets the browser load what the sources need, and only then', async () => {
  const policyOf = async (env: NodeJS.ProcessEnv, path = '/api/config') => {
    const server = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example', ...env } });
    const { headers } = await server.visitor().get(path);
    return [headers.get('Content-Security-Policy') ?? '', headers.get('Cross-Origin-Opener-Policy')] as const;
  };
  const [withLinks, linkOpener] = await policyOf({ REMOTE_LINKS: 'true' });
  expect(withLinks).not.toMatch(/google|1drv/);
  expect(linkOpener).toBe('same-origin');
  const [withVendors, vendorOpener] = await policyOf(ALL_VENDORS);
  expect(withVendors).toContain(
    "script-src 'self' 'wasm-unsafe-eval' https://accounts.google.com/gsi/client",
  );
  expect(withVendors).toContain('frame-src ');
  expect(vendorOpener).toBe('same-origin-allow-popups');
  // Coming from the vendor, these must reach the page that opened the window.
  for (const path of ['redirect', 'send-token']) {
    const [policy, opener] = await policyOf(ALL_VENDORS, `/companion/dropbox/${path}`);
    expect(policy).toContain("script-src 'self'");
    expect(opener).toBeNull();
  }
});
