// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { someMemory } from '../../testing/some-memory.ts';
import { Photo } from './photo.tsx';

setUpComponents();
beforeEach(() => {
  class NoObserver {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', NoObserver);
});
afterEach(() => vi.unstubAllGlobals());

it('says that it cannot be loaded without text in the button around it, whose name is another', () => {
  showPage(
    <button aria-label="Open At the lake">
      <Photo photo={someMemory()} description="At the lake" sizes="100px" />
    </button>,
  );
  fireEvent.error(screen.getByAltText('At the lake'));
  expect(screen.getByLabelText('At the lake: Image not found').dataset['text']).toBe('Image not found');
  expect(screen.getByRole('button', { name: 'Open At the lake' }).textContent).toBe('');
});
