import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { readFileSync } from 'node:fs';

const SNAPSHOT = /```yaml\n(.*?)```/s;
const LINES_PER_PAGE = 40;

/** Prints the page's snapshot of each failed test at the end of the output. */
export default class PageReporter implements Reporter {
  readonly #pages: string[] = [];

  onTestEnd(test: TestCase, { attachments, annotations }: TestResult): void {
    const context = attachments.find(({ name }) => name === 'error-context')?.path;
    const page = context && SNAPSHOT.exec(readFileSync(context, 'utf8'))?.[1];
    const lines = page?.split('\n').slice(0, LINES_PER_PAGE).join('\n');
    const url = annotations.find(({ type }) => type === 'url')?.description;
    if (lines) this.#pages.push(`The page when “${test.title}” failed, at ${url}:\n${lines}`);
  }

  onEnd(): void {
    for (const page of this.#pages) console.log(page);
  }
}
