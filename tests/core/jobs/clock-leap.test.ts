import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClockLeap } from '../../../core/jobs/clock-leap.ts';
import type { Job } from '../../../core/jobs/job.ts';
import { retainLogJob } from '../../../core/jobs/retain-log.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';
import { engines } from '../../support/temporary-database.ts';

const hour = 3600;
const day = 24 * hour;

describe.each(engines)('F55 a job that deletes old rows of the log on %s', (engine) => {
  let services: TestServices;
  let job: Job;
  let steadyMs: number;
  let lines: unknown[];
  beforeAll(async () => {
    services = await createTestServices(engine);
    await services.options.set(systemActor, 'LogRetentionDays', '30');
  });
  afterAll(() => services.remove());
  beforeEach(async () => {
    const { database, logs, options, now } = services;
    [steadyMs, lines] = [5000, []];
    await database.logs.destroy({ where: {} });
    await database.logs.create({ user_id: 1, created_at: now() - day, type: 3, content: 'new' });
    await database.logs.create({ user_id: 1, created_at: now() - 31 * day, type: 3, content: 'old' });
    const logger = { log: (...line: unknown[]) => void lines.push(line) };
    job = createClockLeap({ now, logger, steadyMs: () => steadyMs })(retainLogJob({ logs, options }));
  });

  /** Time as it goes by. */
  function pass(seconds: number): void {
    services.advance(seconds);
    steadyMs += seconds * 1000;
  }
  async function left(): Promise<string[]> {
    pass(hour);
    await job.run(new AbortController().signal);
    const rows = await services.database.logs.findAll({ order: [['created_at', 'ASC']], raw: true });
    return rows.map(({ content }) => content);
  }

  it('deletes them as time goes by, however long the server was busy', async () => {
    expect(await left()).toEqual(['new']);
    pass(400 * day);
    expect(await left()).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('leaves what is new while the clock is ahead, says so, and goes on when it is set right', async () => {
    services.advance(400 * day);
    expect(await left()).toEqual(['old', 'new']);
    expect(await left()).toEqual(['old', 'new']);
    const text = 'the clock went ahead; job retain-log deletes nothing for a day, or until the clock is set back';
    expect(lines).toEqual(Array(2).fill(['warn', text, { hours: 9600 }]));
    services.advance(-400 * day);
    expect(await left()).toEqual(['new']);
  });

  it('takes a time that is not set back within a day for the right one', async () => {
    services.advance(400 * day);
    for (let hours = 0; hours < 24; hours++) expect(await left()).toEqual(['old', 'new']);
    expect(await left()).toEqual([]);
  });

  it('is not stopped by an hour that a clock is set ahead or back', async () => {
    services.advance(-hour);
    expect(await left()).toEqual(['new']);
    services.advance(hour);
    expect(await left()).toEqual(['new']);
    expect(lines).toEqual([]);
  });
});
