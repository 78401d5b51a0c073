import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of more than ten seconds, the longest first: one that began last would run alone. A fresh clone knows no durations. */
const LONGEST = JSON.parse(readFileSync(new URL('longest-tests.json', import.meta.url), 'utf8')) as string[];

/** The server's tests, then the client's, which are short and need the processor all the time. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'client') return LONGEST.length + 1;
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    // Stable: the others stay in Vitest's order.
    return (await super.sort(specifications)).sort((a, b) => rank(a) - rank(b));
  }
}
