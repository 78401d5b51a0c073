import { describe, expect, it } from 'vitest';
import { createEmojiLibrary } from './emoji-library.ts';
import { createFontLibrary } from './font-library.ts';
import { prepareParagraph } from './paragraph.ts';
import { toVisualRuns } from './visual-runs.ts';

const libraries = { fonts: createFontLibrary(), emojis: createEmojiLibrary() };

async function linesOf(text: string, width = 1000) {
  return (await prepareParagraph(text, 'text', libraries)).breakLines(width);
}

/** What stands on each line from left to right, run by run: a run of Hebrew or Arabic is turned round by its font. */
async function seen(text: string, width?: number): Promise<string[][]> {
  const lines = await linesOf(text, width);
  return lines.map(({ clusters }) =>
    toVisualRuns(clusters).map((run) => ('emoji' in run ? run.emoji.text : run.text)),
  );
}

describe('a line', () => {
  it('that runs to the left has its first word on the right, and numbers and foreign words as they are read', async () => {
    expect(await seen('כלב (בן 12) שמו Rex!')).toEqual([
      ['!', 'Rex', ' ', 'שמו', ' (', '12', ' ', 'בן', ') ', 'כלב'],
    ]);
  });

  it('that runs to the right may hold words that run to the left, the first of them on the right', async () => {
    expect(await seen('Rex כלב טוב and')).toEqual([['Rex ', 'טוב', ' ', 'כלב', ' and']]);
  });

  it('begins on the side of its paragraph’s first letter', async () => {
    for (const [text, isRightToLeft] of [
      ['12 כלב and', true],
      ['🐶 dog כלב', false],
      ['…', false],
    ] as const) {
      expect((await linesOf(text)).map((line) => line.isRightToLeft)).toEqual([isRightToLeft]);
    }
  });

  it('parts letters that a zero-width non-joiner stands between', async () => {
    expect(await seen('می\u200Cخواهم')).toEqual([['خواهم', 'می']]);
  });
});

describe('a paragraph', () => {
  it('breaks between words, Chinese between characters, Korean never within a word, and what is endless anywhere', async () => {
    const textOf = async (text: string, width: number) =>
      (await seen(text, width)).map((runs) => runs.join(''));
    expect(await textOf('the old dog', 4)).toEqual(['the old', 'dog']);
    expect(await textOf('我们的小猫', 2.1)).toEqual(['我们', '的小', '猫']);
    expect(await textOf('우리 강아지', 3.5)).toEqual(['우리', '강아지']);
    expect((await textOf('x'.repeat(30), 5)).join('')).toBe('x'.repeat(30));
  });

  it('of any length runs on over the pieces in which it is read', async () => {
    const text = 'a day at the sea '.repeat(300);
    const lines = (await seen(text, 60)).map((runs) => runs.join('').length);
    expect(Math.min(...lines.slice(0, -1))).toBeGreaterThan(80);
    expect((await seen('x'.repeat(2500), 1e6)).flat().join('')).toHaveLength(2500);
  });

  it('without text is an empty line', async () => {
    expect(await seen('')).toEqual([[]]);
  });
});
