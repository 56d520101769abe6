import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job, Schedule } from '../../../core/jobs/job.ts';
import { createJobLocks } from '../../../core/jobs/job-lock.ts';
import { createScheduler, type Scheduler } from '../../../core/jobs/scheduler.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

const hour = 3600;
const leaseMs = 600;

describe.each(engines)('jobs on %s', (engine) => {
  let bed: TemporaryDatabase;
  let schedulers: Scheduler[];
  let lines: string[];
  let runs: number;
  let isRunning: number;
  let maxAtOnce: number;
  /** What a step of the database's clock would do. */
  let stepSeconds: number;

  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(() => bed.remove());
  beforeEach(async () => {
    await bed.database.sequelize.query('DELETE FROM job_locks');
    [schedulers, lines] = [[], []];
    [runs, isRunning, maxAtOnce, stepSeconds] = [0, 0, 0, 0];
  });
  afterEach(async () => {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  });

  const clock = engine === 'sqlite' ? 'unixepoch()' : 'extract(epoch FROM now())::bigint';

  /** A process of its own, as far as jobs are concerned. */
  function open(...jobs: Job[]): Scheduler {
    const locks = createJobLocks({
      database: bed.database,
      leaseSeconds: 1,
      nowSql: () => `(${clock} + ${stepSeconds})`,
    });
    const log = (_level: string, text: string) => void lines.push(text);
    const scheduler = createScheduler({ jobs, locks, leaseMs, lookEveryMs: 50, log });
    schedulers.push(scheduler);
    return scheduler;
  }

  function job(schedule: Schedule | undefined, work: (signal: AbortSignal) => Promise<unknown> = async () => {}): Job {
    return {
      name: 'work',
      schedule: () => schedule,
      async run(signal) {
        runs++;
        isRunning++;
        maxAtOnce = Math.max(maxAtOnce, isRunning);
        await work(signal).finally(() => {
          isRunning--;
        });
        return { done: 1 };
      },
    };
  }

  /** As if it had last run so long ago. */
  async function ranAgo(seconds: number, owner = ''): Promise<void> {
    await bed.database.sequelize.query(
      `INSERT INTO job_locks (name, owner, until, ran_at) VALUES ('work', '${owner}', 7, ${clock} - ${seconds})`,
    );
  }

  const looks = async (count: number) => {
    for (let turn = 0; turn < count; turn++) for (const scheduler of schedulers) await scheduler.look();
  };

  it('a new installation waits one interval before the first run', async () => {
    open(job({ everySeconds: hour }));
    await looks(3);
    expect(runs).toBe(0);
    expect(await bed.database.select('SELECT name, owner FROM job_locks')).toEqual([{ name: 'work', owner: '' }]);
    expect(lines).toEqual([]);
  });

  it('F60 a due job runs once, however many processes look', async () => {
    await ranAgo(hour + 1);
    for (let process = 0; process < 4; process++) open(job({ everySeconds: hour }));
    await Promise.all(schedulers.map((scheduler) => scheduler.look()));
    await looks(3);
    expect(runs).toBe(1);
  });

  it('F60 a job never overlaps itself, neither here nor on another node, however long it takes', async () => {
    await ranAgo(10);
    const slow = () => wait(3 * leaseMs);
    open(job({ everySeconds: 0 }, slow)).start();
    open(job({ everySeconds: 0 }, slow)).start();
    await wait(5 * leaseMs);
    expect(runs).toBeGreaterThan(1);
    expect(maxAtOnce).toBe(1);
  });

  it('the lock of a process of this machine that died is taken over at once where only this machine has the database', async () => {
    const { pid } = spawnSync('true');
    const takesOver = engine === 'sqlite' ? 1 : 0;
    for (const [owner, expected] of [
      [`dead ${pid} ${hostname()}`, takesOver],
      // As after the restart of a container.
      [`former ${process.pid} ${hostname()}`, takesOver],
      [`alive ${process.ppid} ${hostname()}`, 0],
      [`elsewhere ${pid} elsewhere`, 0],
    ] as const) {
      await bed.database.sequelize.query('DELETE FROM job_locks');
      await ranAgo(hour + 1, owner);
      runs = 0;
      const scheduler = open(job({ everySeconds: hour }));
      await scheduler.look();
      await scheduler.stop();
      expect(runs, owner).toBe(expected);
    }
  });

  it('the lock of a process that died is taken over after its lease, not before', async () => {
    await ranAgo(hour + 1, 'dead');
    open(job({ everySeconds: hour }));
    await looks(2);
    expect(runs).toBe(0);
    await wait(leaseMs + 50);
    await looks(1);
    expect(runs).toBe(1);
  });

  it.each([hour, -hour])('F55 D7 a clock that steps by %i s runs nothing twice', async (step) => {
    await ranAgo(hour + 1);
    const slow = () => wait(2 * leaseMs);
    open(job({ everySeconds: hour }, slow));
    open(job({ everySeconds: hour }, slow));
    await looks(2);
    stepSeconds = step;
    // Meanwhile the owner shows by the stepped clock that it lives.
    for (let turn = 0; turn < 8; turn++) {
      await wait(leaseMs / 2);
      await looks(1);
    }
    expect(runs).toBe(1);
  });

  it('F55 F56 a nightly job runs once a day of UTC, also when the clock goes back over its hour', async () => {
    const now = Math.floor(Date.now() / 1000);
    const thisHour = Math.floor((now % 86_400) / hour);
    const nightly = () => job({ dailyAtHour: thisHour });
    // Yesterday, at the same time: due since the full hour.
    await ranAgo(24 * hour);
    open(nightly());
    await looks(1);
    await wait(50);
    stepSeconds = -hour;
    await looks(2);
    stepSeconds = 0;
    open(nightly());
    await looks(2);
    expect(runs).toBe(1);
    stepSeconds = 24 * hour;
    await looks(2);
    expect(runs).toBe(2);
  });

  it('F55 a nightly job runs again once a clock that was years ahead is set right, and then once a day', async () => {
    const thisHour = Math.floor((Math.floor(Date.now() / 1000) % 86_400) / hour);
    await ranAgo(-400 * 24 * hour);
    open(job({ dailyAtHour: thisHour }));
    await looks(1);
    await wait(50);
    await looks(2);
    expect(runs).toBe(1);
  });

  it('F24 a job that fails is logged, ends nothing, and runs again at its next turn', async () => {
    await ranAgo(10);
    open(job({ everySeconds: 0 }, () => Promise.reject(new Error('broken'))));
    await looks(1);
    await wait(50);
    await looks(1);
    expect(runs).toBe(2);
    await wait(50);
    expect(lines).toEqual([
      'job work failed; it runs again at its next turn',
      'job work failed; it runs again at its next turn',
    ]);
  });

  it('an interval is counted from the start of a job, and not from the look after it', async () => {
    await ranAgo(10);
    open(job({ everySeconds: 2 }));
    await looks(1);
    expect(runs).toBe(1);
    await wait(1300);
    // Sees in its row that it ran.
    await looks(1);
    await wait(800);
    await looks(1);
    expect(runs).toBeGreaterThan(1);
  });

  it('D7 a process that slept since its own start of a job sees that another one has run it meanwhile', async () => {
    await ranAgo(10);
    const first = open(job({ everySeconds: 2 }));
    await first.look();
    const second = open(job({ everySeconds: 2 }));
    await second.look();
    await wait(3000);
    await second.look();
    expect(runs).toBe(2);
    // Until its lock is given back.
    await second.stop();
    await first.look();
    expect(runs).toBe(2);
  });

  it('stopping ends what runs and gives the lock back, so that the next process need not wait', async () => {
    await ranAgo(10);
    const untilTold = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const first = open(job({ everySeconds: 1 }, untilTold));
    await looks(1);
    expect(isRunning).toBe(1);
    await first.stop();
    expect(isRunning).toBe(0);
    expect(await bed.database.select('SELECT owner FROM job_locks')).toEqual([{ owner: '' }]);
  });

  it('F23 a process that slept while another took the lock is told to stop', async () => {
    await ranAgo(10);
    let wasTold = false;
    const untilTold = (signal: AbortSignal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          wasTold = true;
          resolve();
        }),
      );
    open(job({ everySeconds: hour }, untilTold));
    await bed.database.sequelize.query(`UPDATE job_locks SET ran_at = ran_at - ${2 * hour}`);
    await looks(1);
    expect(isRunning).toBe(1);
    await bed.database.sequelize.query("UPDATE job_locks SET owner = 'other', until = until + 1");
    await wait(leaseMs);
    expect(wasTold).toBe(true);
    expect(await bed.database.select('SELECT owner FROM job_locks')).toEqual([{ owner: 'other' }]);
  });

  it('a job that is switched off does not run, and one of every process needs no lock', async () => {
    await ranAgo(hour);
    open(job(undefined));
    await looks(2);
    expect(runs).toBe(0);
    const everywhere = { ...job({ everySeconds: 0 }), inEveryProcess: true };
    open(everywhere);
    open(everywhere);
    await looks(1);
    expect(runs).toBe(2);
  });
});
