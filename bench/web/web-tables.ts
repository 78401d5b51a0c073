import { markdownTable } from '../markdown-table.ts';
import { median } from '../measure/statistics.ts';
import type { AddManyResult } from './measure-add-many.ts';
import type { LighthouseScores } from './measure-lighthouse.ts';
import type { LoadResult } from './measure-load.ts';
import type { MemoryResult } from './measure-memory.ts';
import type { ScrollResult } from './measure-scroll.ts';

/** Of one page in one build, once per round. */
export type PageResult = {
  page: string;
  isPublic: boolean;
  build: string;
  loads: LoadResult[];
  scrolls: ScrollResult[];
};

export type DialogResult = { build: string; scriptMs: number[] };
export type PageScores = LighthouseScores & { page: string };

/** Medians of the rounds. */
export function loadTable(results: PageResult[]): string {
  return markdownTable(
    [
      'first load',
      'requests',
      'before tiles',
      'KiB',
      'script KiB',
      'fonts KiB',
      'LCP ms',
      'shift',
      'long tasks',
      'blocking ms',
    ],
    results.map(({ page, build, loads }) => {
      const of = (name: keyof LoadResult, digits = 0) =>
        median(loads.map((each) => each[name])).toFixed(digits);
      return [
        nameOf(page, build),
        of('requests'),
        of('requestsBeforeTiles'),
        of('totalKib'),
        of('scriptKib', 1),
        of('fontKib', 1),
        of('lcpMs'),
        of('layoutShift', 3),
        of('longTasks'),
        of('blockingMs'),
      ];
    }),
  );
}

/** Medians of the rounds; nodes, images and the longest task are the largest. */
export function scrollTable(results: PageResult[]): string {
  const rows = results.filter(({ scrolls }) => scrolls.length > 0);
  return markdownTable(
    ['5 s of scrolling', 'frames/s', 'long tasks', 'longest ms', 'script ms', 'layout ms', 'nodes', 'images'],
    rows.map(({ page, build, scrolls }) => {
      const of = (name: keyof ScrollResult) => median(scrolls.map((each) => each[name])).toFixed(0);
      const max = (name: keyof ScrollResult) => Math.max(...scrolls.map((each) => each[name])).toFixed(0);
      return [
        nameOf(page, build),
        `**${of('fps')}**`,
        of('longTasks'),
        max('longestTaskMs'),
        of('scriptMs'),
        of('layoutMs'),
        max('nodes'),
        max('images'),
      ];
    }),
  );
}

export function dialogTable(results: DialogResult[]): string {
  return markdownTable(
    ['from a click to the open dialog', 'script ms'],
    results.map(({ build, scriptMs }) => [
      nameOf('a memory', build),
      `**${median(scriptMs).toFixed(0)}** (${Math.min(...scriptMs).toFixed(0)} – ${Math.max(...scriptMs).toFixed(0)})`,
    ]),
  );
}

export function memoryTable({ minutes, beforeMib, afterMib }: MemoryResult): string {
  return markdownTable(
    ['heap of the page', 'before', `after ${minutes} min`],
    [['scrolling gallery and timeline', `${beforeMib.toFixed(1)} MiB`, `${afterMib.toFixed(1)} MiB`]],
  );
}

export function addManyTable(result: AddManyResult): string {
  return markdownTable(
    ['added at once', 'MB each', 'seconds', 'photos/s', 'requests at a time', 'heap MiB', 'nodes'],
    [
      [
        `${result.photos} photos`,
        result.megabytes.toFixed(1),
        result.seconds.toFixed(0),
        (result.photos / result.seconds).toFixed(1),
        String(result.requests),
        result.heapMib.toFixed(0),
        String(result.nodes),
      ],
    ],
  );
}

export function lighthouseTable(scores: PageScores[]): string {
  return markdownTable(
    ['Lighthouse, mobile', 'performance', 'accessibility', 'best practices', 'SEO'],
    scores.map((each) => [
      each.page,
      ...[each.performance, each.accessibility, each['best-practices'], each.seo].map((score) =>
        score.toFixed(2),
      ),
    ]),
  );
}

function nameOf(what: string, build: string): string {
  return build === '' ? what : `${what} (${build})`;
}
