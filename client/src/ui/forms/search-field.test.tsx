// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

const onSearch = vi.fn<(q: string) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  onSearch.mockClear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const withQuery = (q: string) => (
  <SearchField label="Search mems" maxLength={1000} q={q} onSearch={onSearch} />
);
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search mems' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const pass = (ms: number): void => void act(() => void vi.advanceTimersByTime(ms));
const searches = () => onSearch.mock.calls.flat();

describe('the search field', () => {
  it('searches 250 ms after the last key', () => {
    render(withQuery(''));
    type('la');
    pass(249);
    type('lak');
    pass(249);
    expect(searches()).toEqual([]);
    pass(1);
    expect(searches()).toEqual(['lak']);
  });

  it('searches at once with Enter, and only once', () => {
    const { rerender } = render(withQuery(''));
    type('snow');
    fireEvent.submit(field());
    expect(searches()).toEqual(['snow']);
    rerender(withQuery('snow'));
    pass(1000);
    expect(searches()).toEqual(['snow']);
  });

  it('keeps a trailing space while typing', () => {
    const { rerender } = render(withQuery(''));
    type('red ');
    pass(250);
    expect(searches()).toEqual(['red']);
    rerender(withQuery('red'));
    expect(field().value).toBe('red ');
    type('red b');
    pass(250);
    expect(searches()).toEqual(['red', 'red b']);
  });

  it('shows the search that back navigation restores, and forgets the typed text', () => {
    const { rerender } = render(withQuery('snow'));
    type('snowman');
    rerender(withQuery('lake'));
    expect(field().value).toBe('lake');
    pass(1000);
    expect(searches()).toEqual([]);
  });

  it('is cleared at once, and keeps the focus', () => {
    render(withQuery('snow'));
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect([field().value, searches()]).toEqual(['', ['']]);
    expect(document.activeElement).toBe(field());
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull();
  });
});
