import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Names each test that was skipped, because a skipped test proves nothing, and each one that failed before it passed, with its first
 * error. Appends `{passed, failed, skipped, secondTry}` to the file that TOLLGATE_TEST_SUMMARY names, so that several runs can be added up.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    const skipped: string[] = [];
    const secondTry: string[] = [];
    // An error outside any test counts as a failure of its own: of a file that could not be loaded, of a hook.
    let failed = errors.length;
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) if (suite.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const name = `${module.relativeModuleId}: ${test.fullName}`;
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
        if (test.result().state === 'skipped') skipped.push(name);
        if (test.diagnostic()?.flaky) secondTry.push(`${name} (${firstErrorOf(test)})`);
      }
    }
    for (const name of skipped) console.info(`skipped: ${name}`);
    for (const name of secondTry) console.info(`passed on a second try: ${name}`);
    const file = process.env.TOLLGATE_TEST_SUMMARY;
    if (file) appendFileSync(file, `${JSON.stringify({ passed, failed, skipped: skipped.length, secondTry })}\n`);
  }
}

/** The first line of what went wrong in the try that failed. */
function firstErrorOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return error?.message.split('\n')[0] ?? 'no error was kept';
}
