import { appendFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** More failed files at once are no accident of a busy machine. */
const maxFilesAgain = 5;

interface Count {
  passed: number;
  failed: number;
  skipped: string[];
  /** Failed before they passed. */
  secondTry: string[];
}

/**
 * Names each test that was skipped, because a skipped test proves nothing, and each one that failed before it passed, with its first
 * error. Appends `{passed, failed, skipped, secondTry}` to the file that TOLLGATE_TEST_SUMMARY names, so that several runs can be added up.
 *
 * Where TOLLGATE_FILES_AGAIN names a file, the test files that failed are written there, a line each, to be run once more from their start:
 * what a test has left behind can make its second try fail, too. They are named like second tries, and counted by the run that follows.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const failed = modules.filter((module) => !module.ok());
    const list = process.env.TOLLGATE_FILES_AGAIN;
    const again = list && errors.length === 0 && failed.length <= maxFilesAgain ? failed : [];
    const count = countOf(modules.filter((module) => !again.includes(module)));
    count.secondTry.push(...again.map((module) => `${module.relativeModuleId}, from its start (${faultsOf(module)})`));
    // An error outside any test counts as a failure of its own.
    count.failed += errors.length;
    for (const name of count.skipped) console.info(`skipped: ${name}`);
    for (const name of count.secondTry) console.info(`second try: ${name}`);
    if (list) writeFileSync(list, again.map((module) => `${module.relativeModuleId}\n`).join(''));
    const file = process.env.TOLLGATE_TEST_SUMMARY;
    if (file) appendFileSync(file, `${JSON.stringify({ ...count, skipped: count.skipped.length })}\n`);
  }
}

function countOf(modules: readonly TestModule[]): Count {
  const count: Count = { passed: 0, failed: 0, skipped: [], secondTry: [] };
  for (const module of modules) {
    // Of a file that could not be loaded, of a hook.
    for (const suite of [module, ...module.children.allSuites()]) if (suite.errors().length > 0) count.failed += 1;
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId}: ${test.fullName}`;
      const { state } = test.result();
      if (state === 'passed') count.passed += 1;
      if (state === 'failed') count.failed += 1;
      if (state === 'skipped') count.skipped.push(name);
      if (test.diagnostic()?.flaky) count.secondTry.push(`${name} (${firstErrorOf(test)})`);
    }
  }
  return count;
}

/** Each test of a file that failed, or what else went wrong in it. */
function faultsOf(module: TestModule): string {
  const tests = [...module.children.allTests('failed')].map((test) => `${test.fullName}: ${firstErrorOf(test)}`);
  const hooks = [module, ...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => message),
  );
  return [...tests, ...hooks].join('; ');
}

/** The first line of what went wrong in the try that failed. */
function firstErrorOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return error?.message.split('\n')[0] ?? 'no error was kept';
}
