// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MAX_SEARCH_LENGTH } from '#shared/album/memory';
import { useGallerySearchParams } from './gallery-search-params.ts';

function paramsAt(url: string) {
  history.pushState(null, '', url);
  const { result, unmount } = renderHook(() => useGallerySearchParams()[0]);
  unmount();
  return result.current;
}

it('invalid search params fall back to defaults', () => {
  expect(paramsAt('/gallery?view=circle&tab=paintings&q=%00%20sn')).toEqual({
    tab: 'memories',
    q: 'sn',
    pet: '',
    loved: '',
    order: 'added',
    view: 'grid',
    photo: '',
  });
  expect(paramsAt(`/gallery?q=${'a'.repeat(3000)}`).q).toHaveLength(MAX_SEARCH_LENGTH);
});
