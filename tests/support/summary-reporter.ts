import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Appends `{passed, failed}` to the file that TOLLGATE_TEST_SUMMARY names, so that several runs can be added up. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.TOLLGATE_TEST_SUMMARY;
    if (!file) return;
    let passed = 0;
    // A file that could not be loaded, or an error outside any test, counts as a failure of its own.
    let failed =
      errors.length + modules.filter((module) => module.state() === 'failed' && module.children.size === 0).length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
      }
    }
    appendFileSync(file, `${JSON.stringify({ passed, failed })}\n`);
  }
}
