import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of more than ten seconds, the longest first: one that began last would run alone. A fresh clone knows no durations. */
const LONGEST = JSON.parse(readFileSync(new URL('longest-tests.json', import.meta.url), 'utf8')) as string[];

/**
 * The server's tests, then the client's, which are short and need the processor all the time: those with a DOM before the others,
 * since Vitest ends a worker whenever the next file in line needs another environment.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'client') return LONGEST.length + (needsDom(moduleId) ? 1 : 2);
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    const ranks = new Map(specifications.map((each) => [each, rank(each)]));
    // Stable: the others stay in Vitest's order.
    return (await super.sort(specifications)).sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
}

function needsDom(file: string): boolean {
  return readFileSync(file, 'utf8').startsWith('// @vitest-environment jsdom');
}
