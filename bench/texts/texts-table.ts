import { markdownTable, ratioCell } from '../report/table.ts';
import { medianOf, type TextRound } from './measure-texts.ts';

/** In Markdown. */
export function textsTable(rounds: TextRound[]): string {
  const row = (name: string, text: (round: TextRound) => number, other: (round: TextRound) => number) => {
    const ratios = rounds.map((round) => text(round) / other(round));
    const ratio = {
      median: medianOf(rounds, (round) => text(round) / other(round)),
      least: Math.min(...ratios),
      most: Math.max(...ratios),
    };
    return [
      name,
      `${medianOf(rounds, text).toFixed(1)} ms`,
      `${medianOf(rounds, other).toFixed(1)} ms`,
      ratioCell(ratio),
    ];
  };
  return markdownTable(
    ['a texted photo', 'by text', 'beside it', 'by text / beside it'],
    [
      row(
        'webhook to its answer, beside a like',
        ({ answer }) => answer,
        ({ like }) => like,
      ),
      row(
        'webhook to the memory, beside an upload',
        ({ memory }) => memory,
        ({ upload }) => upload,
      ),
    ],
  );
}
