import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Names each test that was skipped, because a skipped test proves nothing, and appends `{passed, failed, skipped}` to the file that
 * TOLLGATE_TEST_SUMMARY names, so that several runs can be added up.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    const skipped: string[] = [];
    // A file that could not be loaded, or an error outside any test, counts as a failure of its own.
    let failed =
      errors.length + modules.filter((module) => module.state() === 'failed' && module.children.size === 0).length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
        if (test.result().state === 'skipped') skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    for (const name of skipped) console.info(`skipped: ${name}`);
    const file = process.env.TOLLGATE_TEST_SUMMARY;
    if (file) appendFileSync(file, `${JSON.stringify({ passed, failed, skipped: skipped.length })}\n`);
  }
}
