import { defineConfig } from 'vitest/config';
import { SlowFirst } from './support/slow-first.ts';

const isPackageTest = Boolean(process.env.TOLLGATE_PACKAGE_TEST);
const support = (name: string) => new URL(`support/${name}`, import.meta.url).pathname;

const notHere = [
  ...(isPackageTest ? [] : ['tests/package/**']),
  // They take pictures for people to look at and assert nothing.
  ...(process.env.TOLLGATE_GALLERY ? [] : ['tests/dashboard/gallery*.test.ts']),
  ...(process.env.TOLLGATE_PICTURES ? [] : ['tests/dashboard/readme-picture.test.ts']),
];

/**
 * Seven processes share two cores, and none gains by collecting garbage in several threads: a twentieth of the CPU time of tests without a
 * browser. Code has to run twenty times as long before V8 compiles it once more, for speed: most code of a test runs too briefly to win that
 * back, an eighth of the time of the console's and the terminal UI's tests. The V8 of Node 22 and later does not know the second flag.
 */
const frugal = ['--single-threaded-gc', ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1500000'] : [])];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: [support('shared-postgres.ts')],
    setupFiles: [support('cheap-passwords.ts')],
    // Real browsers and real processes on two busy cores are late at times. summary-reporter.ts names each test that needed its second try,
    // with the first error: one that is named again and again has a race in it, or has found one in the program.
    retry: 1,
    // A busy machine takes its time; what never comes is still told well before the test ends.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
    pool: 'forks',
    execArgv: frugal,
    // Packages are taken as Node itself gives them; otherwise each use of an import of theirs, such as each hook of React, asks a Proxy.
    deps: { interopDefault: false },
    // What has not changed is not compiled again.
    experimental: { fsModuleCache: true },
    // One process loads the program once, and opens one browser, for all files it runs. What a test breaks it breaks in a process of its own.
    isolate: false,
    // Most tests wait for something half of their time: seven keep two cores busy.
    maxWorkers: 7,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', support('summary-reporter.ts')],
    include: isPackageTest ? ['tests/package/**/*.test.ts'] : ['tests/**/*.test.{ts,tsx}'],
    exclude: notHere,
  },
});
