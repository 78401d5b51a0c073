import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { SHARE_TARGET } from '#shared/api/page-paths';

const client = join(import.meta.dirname, '..');

interface Manifest {
  name: string;
  start_url: string;
  display: string;
  theme_color: string;
  background_color: string;
  icons: { src: string; sizes: string; purpose?: string }[];
  share_target: { action: string; method: string; enctype: string; params: object };
}

const manifest = JSON.parse(await readFile(join(client, 'public/manifest.webmanifest'), 'utf8')) as Manifest;

it('has what browsers need to offer an installation', async () => {
  expect(manifest).toMatchObject({ name: 'Mems Are Forever', start_url: '/', display: 'standalone' });
  const sizes = await Promise.all(
    manifest.icons
      .filter(({ src }) => src.endsWith('.png'))
      .map(async ({ src, sizes: declared, purpose = 'any' }) => {
        const { width, height, format } = await sharp(join(client, 'public', src)).metadata();
        expect([src, format, `${width}x${height}`]).toEqual([src, 'png', declared]);
        return `${declared} ${purpose}`;
      }),
  );
  expect(sizes).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
});

it('is linked by the page, with the same colour', async () => {
  const html = await readFile(join(client, 'index.html'), 'utf8');
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
  expect(html).toContain(`<meta name="theme-color" content="${manifest.theme_color}" />`);
});

it('offers the app in share sheets for photos, to the path that the service worker answers', () => {
  expect(manifest.share_target).toEqual({
    action: SHARE_TARGET,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'photos', accept: ['image/*', '.heic', '.heif'] }] },
  });
});
