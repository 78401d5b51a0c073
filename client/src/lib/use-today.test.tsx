// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../testing/component.tsx';
import { useToday } from './use-today.ts';

setUpComponents();
afterEach(() => vi.useRealTimers());

function Today() {
  return <p>{useToday()}</p>;
}

it('follows the day of a page that is shown again', () => {
  vi.useFakeTimers({ now: new Date(2026, 6, 4, 23), toFake: ['Date'] });
  showPage(<Today />);
  expect(screen.getByText('2026-07-04')).toBeDefined();
  vi.setSystemTime(new Date(2026, 6, 5, 8));
  fireEvent(document, new Event('visibilitychange'));
  expect(screen.getByText('2026-07-05')).toBeDefined();
});
