import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, systemActor } from '../../../../core/schemas/actor.ts';
import { createSelfService } from '../../../../core/services/user/self.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const email = 'intruder@example.com';

describe.each(engines)('a password that is changed while the former one is being checked on %s', (engine) => {
  let services: TestServices;
  let owner: Actor;
  const rowOf = async () => {
    const row = await services.database.users.findByPk(owner.id, { raw: true });
    if (!row) throw new Error('the user is gone');
    return row;
  };
  /** The owner's new password is stored at the moment the intruder's proof by the former one is done. */
  const intruder = () =>
    createSelfService({
      ...services,
      checkWebhook: () => {},
      requireOwner: () => services.users.setPassword(systemActor, owner.id, 'a new right horse'),
    });

  beforeAll(async () => {
    services = await createTestServices(engine);
    owner = await services.createUser('owner');
  });
  afterAll(() => services.remove());

  it('S4 gives no access token that outlives it', async () => {
    await expect(intruder().createAccessToken(owner, { password: 'old' })).rejects.toMatchObject({
      code: 'user.changed',
    });
    expect(await rowOf()).toMatchObject({ access_token_hash: null });
  });

  it('S4 ends a token that was made while the new one was being hashed', async () => {
    await services.database.users.update({ access_token_hash: null }, { where: { id: owner.id } });
    const row = await rowOf();
    await services.database.users.update({ access_token_hash: 'made meanwhile' }, { where: { id: owner.id } });
    await services.store.save({ actor: systemActor, row, fields: { password: 'hash' }, action: 'user.setPassword' });
    expect(await rowOf()).toMatchObject({ password: 'hash', access_token_hash: null });
  });

  it('S4 links no email address that could set another one', async () => {
    const code = await services.codes.issue('email', email);
    const linking = intruder().bindEmail(owner, { email, code, password: 'old' });
    await expect(linking).rejects.toMatchObject({ code: 'user.changed' });
    expect((await rowOf()).email).not.toBe(email);
  });

  it('S4 is not written over by a second one that began before it', async () => {
    const row = await rowOf();
    await services.users.setPassword(systemActor, owner.id, 'the newest right horse');
    const { password } = await rowOf();
    const late = services.store.save({ actor: owner, row, fields: { password: 'late' }, action: 'user.updateSelf' });
    await expect(late).rejects.toMatchObject({ code: 'user.changed' });
    expect((await rowOf()).password).toBe(password);
  });
});
