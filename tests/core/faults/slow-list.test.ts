import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

/** Some seconds of work for the database, whatever is stored. */
const slow = {
  postgres: 'SELECT pg_sleep(8)',
  sqlite: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000000) SELECT count(*) FROM n',
};

describe.each(engines)('a server on %s whose console is busy with slow lists', (engine) => {
  let gateway: TestGateway;

  // For each try: a second one finds nothing of the first.
  beforeEach(async () => {
    gateway = await startGateway(engine);
  });
  afterEach(() => gateway.stop());

  it('F38 serves calls anyway, those of keys it has not seen yet, too', async () => {
    const poor = await gateway.addUser('bob', 1);
    const unseen = await gateway.addToken(gateway.userId);
    const withoutQuota = await gateway.addToken(poor);
    let isBusy = true;
    // More than there are connections for lists, or threads.
    const count = engine === 'sqlite' ? 6 : 12;
    const lists = Promise.allSettled(
      Array.from({ length: count }, () => gateway.app.database.select(slow[engine])),
    ).then(() => {
      isBusy = false;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await gateway.chat()).status).toBe(200);
    expect((await gateway.chat({}, { key: unseen })).status).toBe(200);
    expect((await gateway.chat({}, { key: 'sk-unknown' })).status).toBe(401);
    expect((await gateway.chat({}, { key: withoutQuota })).status).toBe(403);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    expect(isBusy).toBe(true);
    await lists;
    expect(await gateway.logCount()).toBe(2);
    await gateway.verifyBooks();
  });
});
