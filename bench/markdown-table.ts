import { median } from './measure/statistics.ts';

/** The median of each round's ratio, with the smallest and the largest. */
export type Ratio = { median: number; min: number; max: number };

export function toRatio(ratios: number[]): Ratio {
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}

export function markdownTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map(line).join('\n');
}

export function formatRatio({ median, min, max }: Ratio): string {
  return `**${median.toFixed(2)}** (${min.toFixed(2)} – ${max.toFixed(2)})`;
}
