import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHealthRecord } from '../../../../core/services/health/record.ts';
import { ChannelSpeeds } from '../../../../core/services/health/speeds.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../../support/temporary-database.ts';

const day = 86_400;
const never = 3_600_000;
const broken = { channelId: 1, model: 'gpt-4o' };
const other = { channelId: 2, model: 'gpt-4o' };
const speed = (firstTokenMs: number) => ({ firstTokenMs, tokensPerSecond: 50 });

describe.each(engines)('F55 the health of channels after the clock was set back on %s', (engine) => {
  let bed: TemporaryDatabase;
  let time: number;
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  const processes: ReturnType<typeof createHealthRecord>[] = [];
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.close()));
    await bed.remove();
  });
  beforeEach(async () => {
    time = 1_800_000_000;
    await bed.database.channelHealth.destroy({ where: {} });
  });

  function open() {
    const onError = (error: unknown) => expect.unreachable(String(error));
    const process = createHealthRecord({ database: bed.database, onError, now: () => time, everyMs: never });
    processes.push(process);
    return process;
  }
  const newest = async () => {
    const rows = await bed.database.channelHealth.findAll({ raw: true });
    return Math.max(...rows.map(({ slot }) => Number(slot)));
  };

  it('counts nothing against a channel that failed before', async () => {
    const before = open();
    for (let calls = 0; calls < 12; calls++) before.failed(broken, { message: 'certificate', code: '503' });
    await before.exchange();
    time -= day;
    const after = open();
    const failing: number[] = [];
    after.onFailing((id) => failing.push(id));
    after.served(other, speed(100));
    await after.exchange();
    expect(failing).toEqual([]);
    expect(await newest()).toBeLessThanOrEqual(time);
  });

  it('is cleared of what is yet to come by a process that goes on, and hears of failures again', async () => {
    const [here, there] = [open(), open()];
    here.served(broken, speed(100));
    await here.exchange();
    time -= day;
    const failing: number[] = [];
    here.onFailing((id) => failing.push(id));
    for (let calls = 0; calls < 12; calls++) there.failed(broken, { message: 'down', code: '503' });
    await there.exchange();
    here.served(other, speed(100));
    await here.exchange();
    expect(failing).toEqual([1]);
    expect(await newest()).toBeLessThanOrEqual(time);
  });

  it('tells how fast they are now', async () => {
    const process = open();
    const speeds = new ChannelSpeeds({ database: bed.database, now: () => time });
    const serve = async (ms: number) => {
      for (let calls = 0; calls < 6; calls++) process.served(broken, speed(ms));
      await process.exchange();
      await speeds.refresh();
      return Math.round((speeds.of(1, 'gpt-4o')?.firstTokenMs ?? 0) / 100);
    };
    expect(await serve(500)).toBe(5);
    time -= day;
    expect(await serve(100)).toBe(1);
  });
});
