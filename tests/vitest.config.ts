import { defineConfig } from 'vitest/config';

const isPackageTest = Boolean(process.env.TOLLGATE_PACKAGE_TEST);
const support = (name: string) => new URL(`support/${name}`, import.meta.url).pathname;

/** These change nothing of their process, so one process loads the program once for many of them. */
const sharing = ['tests/core/**/*.test.ts'];
/** These end, freeze or limit processes, or need one of their own. */
const alone = ['tests/core/faults/**'];

const notHere = [
  ...(isPackageTest ? [] : ['tests/package/**']),
  // Takes pictures for people to look at and asserts nothing.
  ...(process.env.TOLLGATE_GALLERY ? [] : ['tests/dashboard/gallery.test.ts']),
];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: [support('shared-postgres.ts')],
    setupFiles: [support('cheap-passwords.ts')],
    testTimeout: 60_000,
    // A busy machine takes its time; what never comes is still told well before the test ends.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 180_000,
    pool: 'forks',
    // What has not changed is not compiled again.
    experimental: { fsModuleCache: true },
    // Many tests wait for something: three keep two cores busy.
    maxWorkers: 3,
    reporters: ['default', support('summary-reporter.ts')],
    projects: isPackageTest
      ? [{ extends: true, test: { name: 'package', include: ['tests/package/**/*.test.ts'] } }]
      : [
          {
            extends: true,
            test: {
              name: 'alone',
              include: ['tests/**/*.test.{ts,tsx}'],
              exclude: [...notHere, 'tests/core/!(faults)/**', 'tests/core/*.test.ts'],
            },
          },
          { extends: true, test: { name: 'sharing', isolate: false, include: sharing, exclude: alone } },
        ],
  },
});
