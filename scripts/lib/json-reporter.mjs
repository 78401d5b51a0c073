import { JsonReporter } from 'vitest/node';

/** Vitest's JSON report, with the errors outside of tests, which it leaves out. */
export default class extends JsonReporter {
  #errors = [];

  onTestRunEnd(modules, errors) {
    this.#errors = errors.map(({ VITEST_TEST_PATH: file, stack, message }) => ({
      file,
      message: stack ?? message,
    }));
    return super.onTestRunEnd(modules);
  }

  writeReport(report) {
    return super.writeReport(JSON.stringify({ ...JSON.parse(report), unhandledErrors: this.#errors }));
  }
}
