import { JsonReporter } from 'vitest/node';

/** Vitest's JSON report, with the errors outside of tests, which it leaves out: of hooks, of modules, unhandled ones. */
export default class extends JsonReporter {
  #errors = [];

  onTestRunEnd(modules, unhandled) {
    const ofSuites = modules.flatMap((module) =>
      [module, ...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ ...error, file: module.moduleId })),
      ),
    );
    const all = [...ofSuites, ...unhandled.map((error) => ({ ...error, file: error.VITEST_TEST_PATH }))];
    this.#errors = all.map(({ file, stack, message }) => ({ file, message: stack ?? message }));
    return super.onTestRunEnd(modules);
  }

  writeReport(report) {
    return super.writeReport(JSON.stringify({ ...JSON.parse(report), errorsOutsideTests: this.#errors }));
  }
}
