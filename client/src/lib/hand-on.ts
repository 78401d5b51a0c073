/** What became of a link that was to be handed on. */
export type HandedOn = 'shared' | 'copied' | 'cancelled';

/**
 * Hands a link on by the system's own sheet where there is one, else puts it on the clipboard.
 * @param link may still be on its way: browsers allow this only right after a click
 * @throws what the link failed with; DOMException when the browser refuses
 */
export async function handOn(link: Promise<string>, title: string): Promise<HandedOn> {
  if (!('share' in navigator)) {
    await copyText(link);
    return 'copied';
  }
  try {
    await navigator.share({ title, url: await link });
    return 'shared';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    throw error;
  }
}

/** @throws what the text failed with; DOMException or TypeError when there is no clipboard, as over plain http */
export async function copyText(text: Promise<string>): Promise<void> {
  await Promise.all([text, writeToClipboard(text)]);
}

function writeToClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return text.then((text) => navigator.clipboard.writeText(text));
  // Safari takes what comes after the click only as a promise.
  const blob = text.then((text) => new Blob([text], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
