import { describe, expect, it } from 'vitest';
import { createEmojiLibrary } from './emoji-library.ts';
import { createFontLibrary } from './font-library.ts';
import { prepareParagraph } from './paragraph.ts';
import { toVisualRuns } from './visual-runs.ts';

const libraries = { fonts: createFontLibrary(), emojis: createEmojiLibrary() };

async function linesOf(text: string, width = 1000) {
  return (await prepareParagraph(text, 'text', libraries)).breakLines(width);
}

/** The runs of each line from left to right; fontkit reverses Hebrew and Arabic runs. */
async function visualRuns(text: string, width?: number): Promise<string[][]> {
  const lines = await linesOf(text, width);
  return lines.map(({ clusters }) =>
    toVisualRuns(clusters).map((run) => ('emoji' in run ? run.emoji.text : run.text)),
  );
}

describe('a line', () => {
  it('from right to left starts on the right, and keeps numbers and foreign words in order', async () => {
    expect(await visualRuns('כלב (בן 12) שמו Rex!')).toEqual([
      ['!', 'Rex', ' ', 'שמו', ' (', '12', ' ', 'בן', ') ', 'כלב'],
    ]);
  });

  it('from left to right may contain right-to-left words', async () => {
    expect(await visualRuns('Rex כלב טוב and')).toEqual([['Rex ', 'טוב', ' ', 'כלב', ' and']]);
  });

  it('takes its paragraph’s direction from the first letter', async () => {
    for (const [text, isRightToLeft] of [
      ['12 כלב and', true],
      ['🐶 dog כלב', false],
      ['…', false],
    ] as const) {
      expect((await linesOf(text)).map((line) => line.isRightToLeft)).toEqual([isRightToLeft]);
    }
  });

  it('does not join letters across a zero-width non-joiner', async () => {
    expect(await visualRuns('می\u200Cخواهم')).toEqual([['خواهم', 'می']]);
  });
});

describe('a paragraph', () => {
  it('breaks between words, Chinese between characters, Korean only between words, and endless words anywhere', async () => {
    const textOf = async (text: string, width: number) =>
      (await visualRuns(text, width)).map((runs) => runs.join(''));
    expect(await textOf('the old dog', 4)).toEqual(['the old', 'dog']);
    expect(await textOf('我们的小猫', 2.1)).toEqual(['我们', '的小', '猫']);
    expect(await textOf('우리 강아지', 3.5)).toEqual(['우리', '강아지']);
    expect((await textOf('x'.repeat(30), 5)).join('')).toBe('x'.repeat(30));
  });

  it('of any length continues across chunks', async () => {
    const text = 'a day at the sea '.repeat(300);
    const lines = (await visualRuns(text, 60)).map((runs) => runs.join('').length);
    expect(Math.min(...lines.slice(0, -1))).toBeGreaterThan(80);
    expect((await visualRuns('x'.repeat(2500), 1e6)).flat().join('')).toHaveLength(2500);
  });

  it('without text is an empty line', async () => {
    expect(await visualRuns('')).toEqual([[]]);
  });
});
