// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** As a tab that was just loaded: only its session storage is left. */
async function loadTab() {
  vi.resetModules();
  const { claimDrafts } = await import('./draft-owner.ts');
  return { claimDrafts, ...(await import('./form-drafts.tsx')) };
}

beforeEach(() => sessionStorage.clear());
afterEach(() => sessionStorage.clear());

it('keeps drafts for the user who typed them, also when the session ended between', async () => {
  const first = await loadTab();
  await first.claimDrafts('ada');
  first.writeDraft('pet-new', { name: '' }, { name: 'Rex' });
  const again = await loadTab();
  await again.claimDrafts('ada');
  expect(again.applyDraft('pet-new', { name: '' })).toEqual({ name: 'Rex' });
});

it.each([
  ['after a page load', loadTab],
  ['in the same page', null],
])('discards them before another user sees the pages, %s', async (_when, load) => {
  const first = await loadTab();
  await first.claimDrafts('ada');
  const photo = new File(['photo'], 'rex.jpg');
  first.writeDraft('pet-new', { name: '', photo: null }, { name: 'Rex', photo });
  const next = load ? await load() : first;
  await next.claimDrafts('eve');
  expect(next.applyDraft('pet-new', { name: '', photo: null })).toEqual({ name: '', photo: null });
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Rex');
});
