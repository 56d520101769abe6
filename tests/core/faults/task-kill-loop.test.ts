import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { runTaskKillLoop } from '../../support/task-kill-loop.ts';
import { engines } from '../../support/temporary-database.ts';

/** `npm run kill-loop` asks for 100. */
const kills = Number(process.env.TOLLGATE_KILLS ?? 4);

describe.each(engines)('a server on %s that is killed again and again while jobs are under way', (engine) => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await startGateway(engine);
  });
  afterEach(() => gateway.stop());

  it('F21, M12 charges each job with its row, and refunds each failed one once', {
    timeout: 120_000 + kills * 20_000,
  }, async () => {
    const figures = await runTaskKillLoop(gateway, { kills, clients: 4 });
    console.info(`kill loop of jobs on ${engine}: ${JSON.stringify(figures)}`);
    expect(figures.acknowledged).toBeGreaterThan(kills);
    expect(figures.succeeded).toBeGreaterThan(0);
    expect(figures.failed).toBeGreaterThan(0);
    expect(figures).toMatchObject({ kills, lost: 0, doubled: 0, wrongEnds: 0, wrongSums: 0, openHolds: 0 });
  });
});
