import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPdf, type ReadPage, type ReadPdf } from '../../../testing/assertions/read-pdf.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { printWidth } from './photo-page.ts';
import { writeFlipbookPdf, type PdfMemory } from './write-flipbook-pdf.ts';

async function writePdf(memoryTexts: Partial<PdfMemory>[], title = 'Memory Flipbook'): Promise<ReadPdf> {
  const memories = memoryTexts.map((text) => ({
    caption: null,
    tags: [],
    date: 'March 1, 2026',
    size: { width: 60, height: 90 },
    readPhoto: () => makePhoto(),
    ...text,
  }));
  const output = new PassThrough();
  const bytes = buffer(output);
  const flipbook = {
    title,
    memories,
    today: '2026-07-04',
    createdAt: new Date('2026-07-04T10:00:00Z'),
  };
  await writeFlipbookPdf(output, flipbook, () => Promise.resolve());
  return readPdf(await bytes);
}

/** Independent of the order: right-to-left words are extracted in reverse. */
const wordsOf = (text: string) => text.split(/[\s.,!?]+/).filter((word) => word !== '');

describe('a flipbook PDF', () => {
  let pages: ReadPage[];
  beforeAll(async () => {
    const memoryTexts = [
      { caption: 'Rex swims', tags: ['summer', 'first time'], date: 'February 29, 2024' },
      { caption: ' ', readPhoto: () => Promise.resolve(null) },
    ];
    ({ pages } = await writePdf(memoryTexts));
  });

  it('has a cover, a photo and a caption page for each memory and an end page, all of one size', () => {
    expect(pages).toHaveLength(6);
    expect(new Set(pages.map(({ width, height }) => `${width}x${height}`))).toEqual(new Set(['500x650']));
    expect(pages.map(({ pictures }) => pictures)).toEqual([1, 1, 0, 0, 0, 0]);
  });

  it('has the product’s texts', () => {
    const [cover, , caption, missing, untitled, end] = pages.map(({ text }) => text.replace(/\s+/g, ' '));
    expect(cover).toBe('Memory Flipbook 2 Beautiful Memories Created with love');
    for (const text of ['1 ', 'Rex swims', 'February 29, 2024 • summer • first time', 'Memory 1 of 2'])
      expect(caption).toContain(text);
    expect(missing).toBe('Image not found');
    expect(untitled).toContain('Untitled Memory');
    expect(end).toBe('The End Created on July 4, 2026 Made with Mems Are Forever');
  });
});

describe('the title on the cover of a PDF', () => {
  const coverOf = async (title: string) => (await writePdf([{}], title)).pages[0]!;
  const FRAME = { left: 28, right: 500 - 28, bottom: 650 - 28 };

  it.each([
    ['wide letters', 'W'.repeat(60)],
    ['words of wide letters', 'WWWWWWWWW '.repeat(6)],
    ['Chinese', '我们的小猫今天第一次看到雪'.repeat(5).slice(0, 60)],
    ['line breaks', 'A\n\r\n\u2028'.repeat(15)],
  ])('stays in the frame: 60 characters of %s', async (_, title) => {
    const { lines, text } = await coverOf(title);
    expect(text.replace(/\s+/g, '')).toContain(title.replace(/\s+/g, ''));
    expect(Math.max(...lines.map(({ baseline }) => baseline))).toBeLessThan(FRAME.bottom - 10);
    expect(Math.min(...lines.map(({ left }) => left))).toBeGreaterThan(FRAME.left);
    expect(Math.max(...lines.map(({ right }) => right))).toBeLessThan(FRAME.right);
  });

  it('is large while it is short', async () => {
    expect((await coverOf('Rex')).lines[0]).toMatchObject({ text: 'Rex', size: 46 });
  });
});

describe('a caption in a PDF', () => {
  const MIDDLE = 0.42 * 650;
  const pageOf = async (caption: string) => (await writePdf([{ caption, tags: ['sea', 'sun'] }])).pages[2]!;

  it.each([
    ['Otto, ten weeks old, already in charge.', 44],
    ['The day we fetched Otto: he slept all the way home, and then he did not sleep for a week.', 32],
    ['A day at the sea, all of it. '.repeat(12), 22],
  ])('has a size by its length, and its middle above that of the page: %s', async (caption, size) => {
    const lines = (await pageOf(caption)).lines.filter((line) => line.size === size);
    expect(lines.length).toBeGreaterThan(1);
    const middle = (lines[0]!.baseline + lines.at(-1)!.baseline) / 2 - size * 0.34;
    expect(middle).toBeCloseTo(MIDDLE, 0);
    for (const { left, right } of lines) expect((left + right) / 2).toBeCloseTo(250, 0);
  });

  it('has lines that are about equally long', async () => {
    const lines = (await pageOf('We were at the sea with our dog')).lines.filter(({ size }) => size === 44);
    expect(lines.map(({ text }) => text.trim())).toEqual(['We were at the', 'sea with our dog']);
  });

  it('leaves the foot of its page to the details and the number', async () => {
    const { lines } = await pageOf('Rex swims');
    const foot = lines.filter(({ baseline }) => baseline > 0.77 * 650);
    expect(foot.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
      'March 1, 2026 • sea • sun',
      '1Memory 1 of 1',
    ]);
    expect(Math.max(...foot.map(({ size }) => size))).toBeLessThan(12);
  });
});

describe('text in a PDF', () => {
  const captions = {
    Latin: 'Żółć, Ünïcödé and Chó của tôi rất đáng yêu',
    Greek: 'Ο σκύλος μας στη θάλασσα',
    Cyrillic: 'Наша собака на море, ёлки',
    Hebrew: 'הכלב שלנו אוהב לרוץ בפארק',
    Arabic: 'هذا كلب جميل جدا يحب البحر',
    Persian: 'می‌خواهم گربه‌ام را ببینم',
    Chinese: '我们的小猫今天第一次看到雪',
    Japanese: 'うちの猫は今日初めて雪を見ました',
    Korean: '우리 강아지는 오늘 처음으로 바다를 보았어요',
    Thai: 'สุนัขของเรา',
    Hindi: 'हमारा कुत्ता बहुत खुश है',
    Bengali: 'শ্রেষ্ঠ বন্ধু কৃষ্ণ',
    Tamil: 'எங்கள் நாய் ஸ்ரீ கொண்டாட்டம்',
    Georgian: 'ჩვენს ძაღლს უყვარს ზღვა',
  };
  let pages: Record<string, ReadPage>;
  beforeAll(async () => {
    const book = await writePdf(Object.values(captions).map((caption) => ({ caption })));
    pages = Object.fromEntries(
      Object.keys(captions).map((script, index) => [script, book.pages[2 + 2 * index] as ReadPage]),
    );
  });

  it.each(Object.keys(captions))('is never boxes in %s, and its fonts are embedded as subsets', (script) => {
    const page = pages[script];
    expect(page?.missingGlyphs).toBe(0);
    expect(page?.text).not.toContain('…');
    for (const font of page?.fonts ?? []) {
      expect(font.isEmbedded).toBe(true);
      // A prefix of six letters marks a subset.
      expect(font.name).toMatch(/^[A-Z]{6}\+/);
    }
  });

  it.each(['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Korean'] as const)(
    'can be found and copied in %s',
    (script) => {
      const found = wordsOf(pages[script]?.text ?? '');
      expect(found).toEqual(expect.arrayContaining(wordsOf(captions[script])));
    },
  );

  it.each(['Chinese', 'Japanese'] as const)(
    'can be found and copied in %s, over the end of a line',
    (script) => {
      expect(pages[script]?.text.replace(/\s+/g, '')).toContain(captions[script]);
    },
  );
});

describe('emoji in a PDF', () => {
  it('are images, one for each sequence or flag', async () => {
    const { pages } = await writePdf([{ caption: 'Hi 🐶❤️👨‍👩‍👧‍👦🇬🇧🏴󠁧󠁢󠁥󠁮󠁧󠁿👩🏽‍🚀 1️⃣ ©️' }]);
    expect(pages[2]).toMatchObject({ pictures: 8, missingGlyphs: 0 });
    expect(pages.at(-1)?.text).toContain('Twemoji');
  });

  it('are not made of plain symbols and digits', async () => {
    const { pages } = await writePdf([{ caption: '© 1 # ♥ ★ ✓ → ∞ €' }]);
    expect(pages[2]).toMatchObject({ pictures: 0, missingGlyphs: 0 });
    expect(pages[2]?.text.replace(/\s+/g, ' ')).toContain('© 1 # ♥ ★ ✓ → ∞ €');
  });
});

describe('malicious text in a PDF', () => {
  it('has a replacement where no font has a letter', async () => {
    const { pages } = await writePdf([{ caption: 'before \u{1E900}\u{1E901}\u{1E902} \uE000 after' }]);
    expect(pages[2]?.missingGlyphs).toBe(0);
    expect(pages[2]?.text).toContain('before … … after');
  });

  it('may have many marks, lone joiners, direction marks and endless words', async () => {
    const heap = `e${'\u0301\u0316'.repeat(5000)}`;
    const caption = `${heap} \u200D\u200F\u202E\u2066 \uFE0F \t ${'x'.repeat(300)} \r\n\n (שלום)`;
    const { pages } = await writePdf([{ caption }]);
    expect(pages).toHaveLength(4);
    expect(pages[2]?.missingGlyphs).toBe(0);
    expect(pages[2]?.text.match(/x/g)).toHaveLength(300);
  });

  it('may have marks without an anchor in their font', async () => {
    const { pages } = await writePdf([{ caption: '\u06A2\u06A3\u0760' }]);
    expect(pages[2]?.missingGlyphs).toBe(0);
    expect(pages[2]?.text).not.toContain('…');
  });

  it('may be declared by a font file that lacks it', async () => {
    const { pages } = await writePdf([{ caption: 'before \u1C89 after' }]);
    expect(pages[2]?.text).toContain('before … after');
  });

  it('of more than a thousand characters fits on its page', async () => {
    const { pages } = await writePdf([{ caption: 'A day at the sea, all of it. '.repeat(50) }]);
    expect(pages).toHaveLength(4);
    expect(pages[2]?.text.match(/sea/g)).toHaveLength(50);
  });

  it('that fills more than a page continues on the next', async () => {
    const { pages } = await writePdf([
      { caption: 'A day at the sea, all of it. '.repeat(400), tags: ['sea'] },
    ]);
    expect(pages.length).toBeGreaterThan(6);
    expect(pages[3]?.text).toContain('Memory 1 of 1, continued');
    const words = pages.map(({ text }) => text).join(' ');
    expect(words.match(/the\s+sea/g)).toHaveLength(400);
    expect(pages.at(-2)?.text).toContain('March 1, 2026');
  });
});

describe('endless text in a PDF', () => {
  it.each([
    ['in one go', 'We were at the sea. '.repeat(10_000)],
    ['line by line', 'sea\n'.repeat(5000) + 'home'],
  ])('ends with an ellipsis after some pages: %s', async (_, caption) => {
    const { pages } = await writePdf([{ caption }]);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.length).toBeLessThan(16);
    expect(pages.map(({ text }) => text).join()).toMatch(/sea\.?\s*…/);
    expect(pages.at(-2)?.text).toContain('March 1, 2026');
  });

  it('leaves the page to the caption when it is tags', async () => {
    const tags = Array.from({ length: 5000 }, (_, index) => `tag ${index}`);
    const { pages } = await writePdf([{ caption: 'Rex swims', tags }]);
    expect(pages).toHaveLength(4);
    expect(pages[2]?.text).toMatch(/Rex swims\s*March 1, 2026\s*•\s*tag 0 [^]*…/);
  });
});

describe('a photo in a PDF', () => {
  it('is requested at 300 dpi for its size on the page', () => {
    // 414 points are 5.75 inches, 564 are 7.83.
    expect(printWidth({ width: 6000, height: 1000 })).toBe(1725);
    expect(printWidth({ width: 4000, height: 3000 })).toBe(1725);
    expect(printWidth({ width: 1000, height: 4000 })).toBe(588);
    // Tiny photos are enlarged at most twice.
    expect(printWidth({ width: 72, height: 50 })).toBe(600);
  });

  it('is embedded byte for byte', async () => {
    const photo = await makePhoto({ width: 300, height: 100 });
    const { photos } = await writePdf([{ readPhoto: () => Promise.resolve(photo) }]);
    // It is also on the cover.
    expect(photos).toHaveLength(2);
    for (const each of photos) expect((await sharp(each).metadata()).width).toBe(300);
  });
});
