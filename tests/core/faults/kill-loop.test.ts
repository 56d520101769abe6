import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { runKillLoop } from '../../support/kill-loop.ts';
import { engines } from '../../support/temporary-database.ts';

/** `npm run kill-loop` asks for 100. */
const kills = Number(process.env.TOLLGATE_KILLS ?? 5);

describe.each(engines)('a server on %s that is killed again and again', (engine) => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await createInstallation(engine);
  });
  afterEach(() => installation.remove());

  it('F21, M3 has every response a client saw whole in its books, once', {
    timeout: 60_000 + kills * 10_000,
  }, async () => {
    const figures = await runKillLoop(installation, kills);
    console.info(`kill loop on ${engine}: ${JSON.stringify(figures)}`);
    expect(figures.acknowledged).toBeGreaterThan(kills);
    expect(figures.converted).toBeGreaterThan(0);
    expect(figures.media).toBeGreaterThan(0);
    expect(figures).toMatchObject({ kills, lost: 0, doubled: 0, wrongSums: 0, openHolds: 0 });
  });
});
