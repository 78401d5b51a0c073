export type ShareOutcome = 'shared' | 'copied' | 'cancelled';

/** @param link a promise, since browsers allow sharing only right after a click, before the link is created */
export async function shareLink(link: Promise<string>, title: string): Promise<ShareOutcome> {
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

/** @throws the text's error; DOMException or TypeError without a clipboard, as over plain http */
export async function copyText(text: Promise<string>): Promise<void> {
  await Promise.all([text, writeToClipboard(text)]);
}

function writeToClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return text.then((text) => navigator.clipboard.writeText(text));
  // Safari accepts text that is not ready at the click only as a promise.
  const blob = text.then((text) => new Blob([text], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
