import { markdownTable } from '../report/table.ts';
import type { LiveResources } from '../../e2e/leaks.ts';
import type { FlipbookResult } from './measure-flipbook.ts';

const MOST_SCRIPT_MS = 300;
const MOST_CONTENTS = 60;

/** In Markdown. */
export function flipbookTable({ scriptMs, contents, before, after }: FlipbookResult): string {
  const sorted = scriptMs.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const stands = (is: boolean) => (is ? 'yes' : '**no**');
  return markdownTable(
    ['a book of 500 memories', 'measured', 'stands at'],
    [
      [
        'script from the click to its first page, ms',
        `**${median.toFixed(0)}** (${sorted[0]?.toFixed(0)} – ${sorted.at(-1)?.toFixed(0)})`,
        `${MOST_SCRIPT_MS}: ${stands(median <= MOST_SCRIPT_MS)}`,
      ],
      [
        'pages with contents, in its middle',
        String(contents),
        `${MOST_CONTENTS}: ${stands(contents <= MOST_CONTENTS)}`,
      ],
      [
        `listeners after ${scriptMs.length} books, to those before`,
        `${countOf(after)} to ${countOf(before)}`,
        `none more: ${stands(countOf(after) <= countOf(before))}`,
      ],
      [
        'animation callbacks after that, at rest',
        String(after.frames),
        `none: ${stands(after.frames <= before.frames)}`,
      ],
    ],
  );
}

function countOf({ listeners }: LiveResources): number {
  return Object.values(listeners).reduce((sum, count) => sum + count, 0);
}
