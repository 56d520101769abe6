import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: process.env.TOLLGATE_PACKAGE_TEST ? ['tests/package/**/*.test.ts'] : ['tests/**/*.test.{ts,tsx}'],
    exclude: [
      ...(process.env.TOLLGATE_PACKAGE_TEST ? [] : ['tests/package/**']),
      // Takes pictures for people to look at and asserts nothing.
      ...(process.env.TOLLGATE_GALLERY ? [] : ['tests/dashboard/gallery.test.ts']),
    ],
    globalSetup: [new URL('support/shared-postgres.ts', import.meta.url).pathname],
    setupFiles: [new URL('support/cheap-passwords.ts', import.meta.url).pathname],
    testTimeout: 60_000,
    // A busy machine takes its time; what never comes is still told well before the test ends.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 180_000,
    pool: 'forks',
    // What has not changed is not compiled again.
    experimental: { fsModuleCache: true },
    // Many tests wait for something: three keep two cores busy.
    maxWorkers: 3,
    reporters: ['default', new URL('support/summary-reporter.ts', import.meta.url).pathname],
  },
});
