import type { CaseResult, Measured } from '../measure/measure-case.ts';

const HEADER = [
  'case',
  'app req/s',
  'floor req/s',
  'app p50 / p99 ms',
  'floor p50 / p99 ms',
  'app / floor',
  'stands at',
];

/** In Markdown. */
export function caseTable(results: CaseResult[]): string {
  return markdownTable(HEADER, results.map(rowOf));
}

export function markdownTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map(line).join('\n');
}

function rowOf({ benchCase, app, floor, ratio }: CaseResult): string[] {
  const { target } = benchCase;
  return [
    benchCase.name,
    rateOf(app),
    rateOf(floor),
    timesOf(app),
    timesOf(floor),
    ratioCell(ratio),
    target === null ? '' : `${target.toFixed(1)}: ${ratio.median >= target ? 'yes' : '**no**'}`,
  ];
}

export function ratioCell({ median, least, most }: CaseResult['ratio']): string {
  return `**${median.toFixed(2)}** (${least.toFixed(2)} – ${most.toFixed(2)})`;
}

function rateOf({ rate }: Measured): string {
  return Math.round(rate).toLocaleString('en');
}

function timesOf({ p50, p99 }: Measured): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
}
