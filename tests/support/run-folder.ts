import { basename } from 'node:path';

/** The folder in which the test processes of a run tell each other what one of them has made for all. */
export const runFolderVariable = 'TOLLGATE_TEST_SHARED';

export function runFolder(): string {
  const folder = process.env[runFolderVariable];
  if (!folder) throw new Error(`${runFolderVariable} is not set: the test runner sets it`);
  return folder;
}

/** Of compiled workers. Inside the project, so that what they import from packages is found. */
export const compiledFolder = () =>
  new URL(`../../node_modules/.cache/test-workers/${basename(runFolder())}`, import.meta.url).pathname;
