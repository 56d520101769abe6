import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '../../../core/lib/logger.ts';

it('a log file contains one JSON object per line, from the chosen level up, in the form log readers know from pino', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-log-'));
  const logger = createLogger({ level: 'info', format: 'pretty', directory });
  logger.log('debug', 'not shown');
  logger.log('info', 'served 100% "well"', { id: 7, missing: undefined, none: null });
  logger.log('error', 'failed', { id: 8 }, new Error('outer', { cause: new Error('inner') }));
  const read = () => {
    logger.flush();
    return readFileSync(join(directory, 'tollgate.log'), 'utf8').trimEnd().split('\n');
  };
  // The file is opened in the background.
  await expect.poll(read).toHaveLength(2);
  const lines = read();
  rmSync(directory, { recursive: true });
  expect(lines[0]).toMatch(
    /^\{"level":30,"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","id":7,"none":null,"msg":"served 100% \\"well\\""\}$/,
  );
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 50, id: 8, error: 'outer', cause: 'inner', msg: 'failed' });
});
