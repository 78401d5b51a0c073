import { describe, expect, it, vi, afterEach } from 'vitest';
import { shareImage } from './share-image.ts';

const LINK = 'https://mems.example/p/token';

afterEach(() => void vi.unstubAllGlobals());

/** Records calls of the share API, with or without file support, cancelled or rejected. */
function onDevice({ takesFiles, rejection }: { takesFiles: boolean; rejection?: string }) {
  const asked: unknown[] = [];
  vi.stubGlobal('navigator', {
    canShare: ({ files }: ShareData) => takesFiles && files?.[0]?.type === 'image/png',
    share: (data: ShareData) => {
      asked.push(data.files ? data.files.map(({ name, size }) => ({ name, size })) : data.url);
      return rejection && data.files ? Promise.reject(new DOMException('No', rejection)) : Promise.resolve();
    },
  });
  return { asked, share };
}

let linksMade = 0;
function share() {
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

describe('shareImage', () => {
  it('shares a file without creating a public link', async () => {
    const { asked, share } = onDevice({ takesFiles: true });
    expect(await share()).toBe('shared');
    expect(asked).toEqual([[{ name: 'Rex-caricature.png', size: 6 }]]);
    expect(linksMade).toBe(0);
  });

  it('shares a link if files are not supported or the browser rejects the file', async () => {
    const without = onDevice({ takesFiles: false });
    expect(await without.share()).toBe('shared');
    expect(without.asked).toEqual([LINK]);
    const rejecting = onDevice({ takesFiles: true, rejection: 'NotAllowedError' });
    expect(await rejecting.share()).toBe('shared');
    expect(rejecting.asked.at(-1)).toBe(LINK);
  });

  it('creates no link if the user cancels', async () => {
    const { asked, share } = onDevice({ takesFiles: true, rejection: 'AbortError' });
    expect(await share()).toBe('cancelled');
    expect(asked).toHaveLength(1);
    expect(linksMade).toBe(0);
  });

  it('copies the link without a share sheet', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    expect(await share()).toBe('copied');
    expect(writeText).toHaveBeenCalledWith(LINK);
  });
});
