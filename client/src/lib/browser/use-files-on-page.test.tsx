// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFilesOnPage } from './use-files-on-page.ts';

afterEach(cleanup);

const photo = new File(['photo'], 'rex.jpg', { type: 'image/jpeg' });

function transferOf(types: string[], files = [photo]) {
  return { types, files, items: files.map(() => ({ webkitGetAsEntry: () => null })) };
}

/** @returns whether the browser's default action was prevented */
function send(
  type: 'dragOver' | 'drop' | 'paste',
  transfer = transferOf(['Files']),
  target: Element = document.body,
) {
  const event = createEvent[type](
    target,
    type === 'paste' ? { clipboardData: transfer } : { dataTransfer: transfer },
  );
  fireEvent(target, event);
  return event.defaultPrevented;
}

function renderPage(isFormOpen = false, dialog = '') {
  const onFiles = vi.fn();
  const Page = () => {
    useFilesOnPage(onFiles, isFormOpen);
    return dialog && <div role={dialog} />;
  };
  render(<Page />);
  return onFiles;
}

it('takes files that are dropped or pasted on the page', () => {
  const onFiles = renderPage();
  expect([send('dragOver'), send('drop'), send('paste')]).toEqual([true, true, true]);
  expect(onFiles.mock.calls).toEqual([
    [{ entries: [null], files: [photo] }],
    [{ entries: [null], files: [photo] }],
  ]);
});

it.each(['dialog', 'alertdialog'])('takes none on a(n) %s, where the browser opens none either', (role) => {
  const onFiles = renderPage(false, role);
  expect([send('dragOver'), send('drop')]).toEqual([true, true]);
  expect(send('paste')).toBe(false);
  expect(onFiles).not.toHaveBeenCalled();
});

it('takes them on a dialog that is for them', () => {
  const onFiles = renderPage(true, 'dialog');
  expect(send('drop')).toBe(true);
  expect(onFiles).toHaveBeenCalledOnce();
});

it('leaves dragged text, and what has no files, to the browser', () => {
  const onFiles = renderPage();
  expect([send('dragOver', transferOf(['text/plain'])), send('drop', transferOf(['text/plain']))]).toEqual([
    false,
    false,
  ]);
  expect(send('paste', transferOf(['Files'], []))).toBe(false);
  expect(onFiles).not.toHaveBeenCalled();
});

it('takes a pasted photo of Finder also in a text field, and no picture of pasted text', () => {
  const onFiles = renderPage();
  const caption = document.body.appendChild(document.createElement('textarea'));
  expect(send('paste', transferOf(['text/plain', 'text/html', 'Files']))).toBe(false);
  expect(send('paste', transferOf(['text/plain', 'text/rtf', 'Files']), caption)).toBe(false);
  expect(onFiles).not.toHaveBeenCalled();
  expect(send('paste', transferOf(['text/plain', 'Files']), caption)).toBe(true);
  expect(onFiles).toHaveBeenCalledOnce();
  caption.remove();
});

it("ignores a drag of the page's own photo, until that ends", () => {
  const onFiles = renderPage();
  fireEvent.dragStart(document.body);
  expect([send('dragOver'), send('drop')]).toEqual([true, true]);
  expect(onFiles).not.toHaveBeenCalled();
  fireEvent.dragEnd(document.body);
  send('drop');
  expect(onFiles).toHaveBeenCalledOnce();
});
