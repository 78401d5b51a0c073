import { describe, expect, it, vi, afterEach } from 'vitest';
import { shareImage } from './share-image.ts';

const LINK = 'https://mems.example/p/token';

afterEach(() => void vi.unstubAllGlobals());

/** What a browser is asked for, on a device that takes files or none, or whose people or rules refuse. */
function onDevice({ takesFiles, refusal }: { takesFiles: boolean; refusal?: string }) {
  const asked: unknown[] = [];
  vi.stubGlobal('navigator', {
    canShare: ({ files }: ShareData) => takesFiles && files?.[0]?.type === 'image/png',
    share: (data: ShareData) => {
      asked.push(data.files ? data.files.map(({ name, size }) => ({ name, size })) : data.url);
      return refusal && data.files ? Promise.reject(new DOMException('No', refusal)) : Promise.resolve();
    },
  });
  return { asked, shareLink: handOnPicture };
}

let linksMade = 0;
function handOnPicture() {
  linksMade = 0;
  return shareImage({
    title: 'A caricature of Rex',
    fileName: 'Rex-caricature.png',
    file: () => Promise.resolve(new Blob(['pixels'])),
    link: () => {
      linksMade++;
      return Promise.resolve(LINK);
    },
  });
}

describe('a picture that is handed on', () => {
  it('goes as a file where the device takes one, and is made public by that no more', async () => {
    const { asked, shareLink } = onDevice({ takesFiles: true });
    expect(await shareLink()).toBe('shared');
    expect(asked).toEqual([[{ name: 'Rex-caricature.png', size: 6 }]]);
    expect(linksMade).toBe(0);
  });

  it('goes as a link elsewhere, also where the browser refuses the file after all', async () => {
    const without = onDevice({ takesFiles: false });
    expect(await without.shareLink()).toBe('shared');
    expect(without.asked).toEqual([LINK]);
    const refusing = onDevice({ takesFiles: true, refusal: 'NotAllowedError' });
    expect(await refusing.shareLink()).toBe('shared');
    expect(refusing.asked.at(-1)).toBe(LINK);
  });

  it('stays where it is when its owner thinks better of it, without a link', async () => {
    const { asked, shareLink } = onDevice({ takesFiles: true, refusal: 'AbortError' });
    expect(await shareLink()).toBe('cancelled');
    expect(asked).toHaveLength(1);
    expect(linksMade).toBe(0);
  });

  it('is copied as a link where nothing can be handed on', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    expect(await handOnPicture()).toBe('copied');
    expect(writeText).toHaveBeenCalledWith(LINK);
  });
});
