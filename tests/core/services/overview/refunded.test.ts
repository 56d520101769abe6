import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, role } from '../../../../core/schemas/actor.ts';
import { overviewQuery } from '../../../../core/schemas/overview.ts';
import { createOverviewService, type OverviewService } from '../../../../core/services/overview/overview.ts';
import { failTask } from '../../../../core/services/task/refund.ts';
import { addChannel, addToken, settlementOf, songJob } from '../../../support/ledger-books.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('the overview of jobs that failed after they were charged, on %s', (engine) => {
  let services: TestServices;
  let overview: OverviewService;
  let alice: Actor;
  let admin: Actor;
  let channelId: number;
  let failing: number;
  let lasting: number;

  /** Charges a job, and gives its quota back where it fails. */
  async function charge(id: string, { tokenId, actual, model = 'orbit-large' }: Charge, isFailed = false) {
    const call = { id, userId: alice.id, tokenId, channelId, actual };
    await services.ledger.hold({ ...call, amount: 0 });
    const { log, usage, ...rest } = settlementOf(call);
    const named = { log: log && { ...log, model_name: model }, usage: usage && { ...usage, model_name: model } };
    await services.ledger.settle({ ...rest, ...named, task: { ...songJob, model, task_id: id } });
    const [task] = await services.database.tasks.findAll({ where: { request_id: id }, raw: true });
    const failure = { id: task?.id ?? 0, reason: 'moderation', at: services.now() };
    if (isFailed) expect(await failTask(services.database, failure)).toBe(true);
  }
  interface Charge {
    tokenId: number;
    actual: number;
    model?: string;
  }

  beforeEach(async () => {
    services = await createTestServices(engine);
    const { bed, database, ledger, secretBox, audit, options, logs, now } = services;
    const reports = primaryReports(database);
    overview = createOverviewService({ database, reports, secretBox, audit, options, logs, now });
    alice = await services.createUser('alice');
    admin = await services.createUser('root', { role: role.root });
    channelId = await addChannel(bed);
    failing = await addToken(bed, ledger, { userId: alice.id, quota: 0, unlimited: true });
    lasting = await addToken(bed, ledger, { userId: alice.id, quota: 0, unlimited: true });
    await charge('kept', { tokenId: failing, actual: 100 });
    await charge('failed', { tokenId: failing, actual: 900 }, true);
    await charge('failed video', { tokenId: failing, actual: 400, model: 'orbit-video' }, true);
    await charge('song', { tokenId: lasting, actual: 250 });
  });
  afterEach(() => services.remove());

  it('takes what went back off the charts and lists of a channel and a token, as off their figures', async () => {
    const query = overviewQuery.parse({});
    const views = [
      { view: await overview.readChannel(admin, channelId, query), quota: 350, models: [350, 0] },
      { view: await overview.readToken(admin, failing, query), quota: 100, models: [100, 0] },
      { view: await overview.readUser(admin, alice.id, query), quota: 350, models: [350, 0] },
    ];
    for (const { view, quota, models } of views) {
      const drawn = view.series.reduce((total, row) => total + row.quota, 0);
      expect([view.current.quota, drawn]).toEqual([quota, quota]);
      expect(view.top_models.map((model) => model.quota)).toEqual(models);
    }
    expect(views[0]?.view.top_users).toMatchObject([{ id: alice.id, requests: 4, quota: 350 }]);
  });

  it('ranks tokens by what they cost in the end', async () => {
    const expected = [
      { id: lasting, requests: 1, quota: 250 },
      { id: failing, requests: 3, quota: 100 },
    ];
    const query = overviewQuery.parse({});
    expect((await overview.readOwn(alice, query)).top_tokens).toMatchObject(expected);
    expect((await overview.readUser(admin, alice.id, query)).top_tokens).toMatchObject(expected);
    expect((await overview.read(admin, query)).top_tokens).toMatchObject(expected);
  });

  it('finds the largest behind many that were given back', async () => {
    for (let at = 0; at < 8; at += 1) {
      const given = { tokenId: failing, actual: 2000 + at, model: `failed-${at}` };
      await charge(given.model, given, true);
    }
    const { top_models } = await overview.readChannel(admin, channelId, overviewQuery.parse({}));
    expect(top_models[0]).toMatchObject({ name: 'orbit-large', quota: 350 });
    expect(top_models.slice(1).map(({ quota }) => quota)).toEqual([0, 0, 0, 0]);
  });
});
