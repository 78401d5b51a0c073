import { cpus } from 'node:os';
import type { GalleryResult } from '../gallery/measure-gallery.ts';
import type { CaseResult } from '../measure/measure-case.ts';
import type { Options } from '../options.ts';
import { caseTable, markdownTable, ratioCell } from './table.ts';

/** All that a run has found, in Markdown. */
export function describeRun(
  results: CaseResult[],
  gallery: GalleryResult | null,
  { rounds, seconds }: Options,
): string {
  const day = new Date().toISOString().slice(0, 10);
  const where = `${cpus().length} cores, Node ${process.versions.node}`;
  return [
    `${day}, ${where}: ${rounds} rounds with turns of ${seconds} s.`,
    ...(results.length > 0 ? [caseTable(results)] : []),
    ...(gallery ? [galleryTable(gallery)] : []),
  ].join('\n\n');
}

function galleryTable({ many, few, ratio }: GalleryResult): string {
  const header = ['gallery, first 12 pictures', '10,000 memories', '100 memories', '10,000 / 100'];
  const row = ['from the navigation', `${Math.round(many)} ms`, `${Math.round(few)} ms`, ratioCell(ratio)];
  return markdownTable(header, [row]);
}
