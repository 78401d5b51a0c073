// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DropOverlay } from './drop-overlay.tsx';

const TEXT = 'Drop to add them to your album';
// jsdom's drag events have no related target.
const leave = (relatedTarget: Element | null) =>
  fireEvent(document.body, new MouseEvent('dragleave', { bubbles: true, relatedTarget }));
const files = { dataTransfer: { types: ['Files'] } };

test('shows while files are dragged over the page, until they leave the window or are dropped', () => {
  render(<DropOverlay />);
  expect(screen.queryByText(TEXT)).toBeNull();
  fireEvent.dragOver(document.body, files);
  screen.getByText(TEXT);
  leave(document.body);
  screen.getByText(TEXT);
  leave(null);
  expect(screen.queryByText(TEXT)).toBeNull();
  fireEvent.dragOver(document.body, files);
  fireEvent.drop(document.body, files);
  expect(screen.queryByText(TEXT)).toBeNull();
});

test.each(['dialog', 'alertdialog'])('shows neither for dragged text nor over a(n) %s', (role) => {
  const { rerender } = render(<DropOverlay />);
  fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/plain'] } });
  expect(screen.queryByText(TEXT)).toBeNull();
  rerender(
    <>
      <DropOverlay />
      <div role={role} />
    </>,
  );
  fireEvent.dragOver(document.body, files);
  expect(screen.queryByText(TEXT)).toBeNull();
});
