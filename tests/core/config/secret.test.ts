import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../core/config.ts';
import { wordsIn } from '../../../core/text/text.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const warningsOf = (token: string) =>
  loadConfig({}, { TOLLGATE_HOME: folder, INITIAL_ROOT_ACCESS_TOKEN: token }).warnings.map(({ text }) =>
    wordsIn('en', text),
  );

describe('an access token of root from the environment', () => {
  it('that is short is taken with a warning, which does not repeat it', () => {
    expect(warningsOf('short-one')).toEqual([expect.stringMatching(/^INITIAL_ROOT_ACCESS_TOKEN .* at least 16/)]);
    expect(warningsOf('short-one').join()).not.toContain('short-one');
    expect(warningsOf('sixteen-letters-')).toEqual([]);
  });
});
