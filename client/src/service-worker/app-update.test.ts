// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { hasAllAssets } from './app-update.ts';

const INDEX = `<script type="module" crossorigin src="/assets/index-new.js"></script>
  <link rel="stylesheet" crossorigin href="/assets/main-same.css">`;

function pageWith(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

it('tells a page of the server’s version, which links more, from an older one', () => {
  const more = '<link rel="modulepreload" href="/assets/home-page-new.js">';
  expect(hasAllAssets(pageWith(INDEX + more), INDEX)).toBe(true);
  expect(hasAllAssets(pageWith(INDEX.replace('index-new', 'index-old')), INDEX)).toBe(false);
});
