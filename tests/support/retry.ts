import { expect, vi } from 'vitest';

/** Real browsers and real processes: on a busy machine a late answer of theirs is no defect of the program. */
const dependOnTime = /\/tests\/(dashboard|docs|package|core\/faults)\/|\/tests\/cli\/(serve|binary)\.test/;

/**
 * A test of these places that fails is tried once more, and summary-reporter.ts names it then. Everywhere else a failure that comes and
 * goes is a race in the program, and stands.
 */
const setting: object = { retry: dependOnTime.test(expect.getState().testPath ?? '') ? 1 : 0 };
// For the file that is about to be read; vitest takes more settings here than its type lists.
vi.setConfig(setting);
