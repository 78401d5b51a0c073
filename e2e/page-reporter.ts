import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { readFileSync } from 'node:fs';

const SNAPSHOT = /```yaml\n(.*?)```/s;

/** Prints what stood on the page when a test failed, for whoever sees no more than the output. */
export default class PageReporter implements Reporter {
  onTestEnd(test: TestCase, { attachments }: TestResult): void {
    const context = attachments.find(({ name }) => name === 'error-context')?.path;
    const page = context && SNAPSHOT.exec(readFileSync(context, 'utf8'))?.[1];
    if (page) console.log(`The page when “${test.title}” failed:\n${page}`);
  }
}
