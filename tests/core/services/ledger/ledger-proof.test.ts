import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role, systemActor } from '../../../../core/schemas/actor.ts';
import { createRunProgress } from '../../../../core/services/channel/run-progress.ts';
import { createLedgerProofs, type LedgerProofService } from '../../../../core/services/ledger/ledger-proof.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('proofs of the ledger on %s', (engine) => {
  let services: TestServices;
  let proofs: LedgerProofService;
  let isTaken = false;

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, ledger, now } = services;
    proofs = createLedgerProofs({
      ledger,
      now,
      progress: createRunProgress({ database, isTaken: async () => isTaken }),
      onError: (error) => expect.fail(String(error)),
      async takeRun() {
        if (isTaken) return undefined;
        isTaken = true;
        return {
          signal: new AbortController().signal,
          async free() {
            isTaken = false;
          },
        };
      },
    });
  });
  afterAll(() => services.remove());

  it('keeps what each found, newest first, with who asked for it', async () => {
    expect((await proofs.list(systemActor)).proofs).toEqual([]);
    await proofs.verify(systemActor);
    const admin = await services.createUser(`ad-${engine}`, { role: role.admin });
    const started = await proofs.start(admin);
    expect(started.running).toBe(true);
    await expect.poll(async () => (await proofs.list(admin)).running, { timeout: 20_000 }).toBe(false);
    const { proofs: kept, done, total } = await proofs.list(admin);
    expect(kept).toMatchObject([
      { ok: true, by: admin.name, difference_count: 0, checked: { users: 1 } },
      { ok: true, by: '', differences: [] },
    ]);
    expect(total).toBeGreaterThan(1);
    expect(done).toBeLessThanOrEqual(total);
  });

  it('shows where the books disagree', async () => {
    const user = await services.createUser(`bob-${engine}`);
    await services.database.users.update({ quota: 7 }, { where: { id: user.id } });
    await proofs.verify(systemActor);
    expect((await proofs.list(systemActor)).proofs[0]).toMatchObject({
      ok: false,
      difference_count: 1,
      differences: [{ subject: 'user', id: String(user.id), rule: 'balance', expected: 0, found: 7 }],
    });
    await services.database.users.update({ quota: 0 }, { where: { id: user.id } });
  });

  it('keeps the last twenty, and is for administrators', async () => {
    for (let index = 0; index < 21; index += 1) await proofs.verify(systemActor);
    expect((await proofs.list(systemActor)).proofs).toHaveLength(20);
    const user = await services.createUser(`eve-${engine}`);
    for (const work of [proofs.list(user), proofs.start(user), proofs.verify(user)])
      await expect(work).rejects.toMatchObject({ status: 403 });
  });
});
