import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobLocks } from '../../../core/jobs/job-lock.ts';
import { createRunLocks } from '../../../core/jobs/run-lock.ts';
import { createTemporaryDatabase, engines } from '../../support/temporary-database.ts';

describe.each(engines)('work started by hand on %s', (engine) => {
  let bed: Awaited<ReturnType<typeof createTemporaryDatabase>>;
  let time = 1_800_000_000;
  /** Each is another process. */
  const open = () => {
    const locks = createJobLocks({ database: bed.database, leaseSeconds: 60, nowSql: () => String(time) });
    return createRunLocks({ locks, leaseSeconds: 60 }).take;
  };
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(() => bed.remove());
  beforeEach(async () => {
    await bed.database.sequelize.query('DELETE FROM job_locks');
  });

  it('F60 is done by one process at a time, and by the next one when it is over', async () => {
    const rights = await Promise.all(Array.from({ length: 5 }, () => open()('test')));
    const given = rights.filter((right) => right !== undefined);
    expect(given).toHaveLength(1);
    expect(await open()('test')).toBeUndefined();
    const other = await open()('other');
    expect(other).toBeDefined();
    await given[0]?.free();
    const next = await open()('test');
    expect(next).toBeDefined();
    await next?.free();
    await other?.free();
  });

  it('F60 can be done again a minute after a process died in the middle of it', async () => {
    const dead = await open()('test');
    time += 59;
    expect(await open()('test')).toBeUndefined();
    time += 2;
    const next = await open()('test');
    expect(next).toBeDefined();
    // A process that comes back takes nothing away.
    await dead?.free();
    expect(await open()('test')).toBeUndefined();
    await next?.free();
  });

  it('F55 is not refused forever when the clock was set back', async () => {
    await open()('test');
    time -= 86_400;
    expect(await open()('test')).toBeDefined();
  });
});
