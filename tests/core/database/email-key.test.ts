import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, engines, type TemporaryTarget } from '../../support/temporary-database.ts';

describe.each(engines)('the one form of an e-mail address on %s', (engine) => {
  let place: TemporaryTarget;
  let database: Database;
  beforeAll(async () => {
    place = await createTemporaryTarget(engine);
    const before = migrations.findIndex(({ name }) => name.endsWith('email-key'));
    await migrate(place.target, migrations.slice(0, before));
    const older = await connect(place.target);
    const emails = ["o'neil@Example.com", 'ｖ@bücher.example', 'no address', ''];
    for (const [index, email] of emails.entries()) {
      await older.sequelize.query(
        `INSERT INTO users (username, username_key, password, email, aff_code) VALUES (:name, :name, '', :email, :name)`,
        { replacements: { name: `user${index}`, email } },
      );
    }
    await older.close();
    await migrate(place.target, migrations);
    database = await connect(place.target);
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  it('is there for accounts from before, whose address stays as it was', async () => {
    expect(await database.select('SELECT email, email_key FROM users ORDER BY id')).toEqual([
      { email: "o'neil@Example.com", email_key: "o'neil@example.com" },
      { email: 'ｖ@bücher.example', email_key: 'v@xn--bcher-kva.example' },
      { email: 'no address', email_key: 'no address' },
      { email: '', email_key: '' },
    ]);
  });

  it('follows every write of an address', async () => {
    const keyOf = async (username: string) =>
      (await database.users.findOne({ where: { username }, raw: true }))?.email_key;
    await database.users.update({ email: 'New@Example.com' }, { where: { username: 'user3' } });
    expect(await keyOf('user3')).toBe('new@example.com');
    await database.users.update({ display_name: 'x' }, { where: { username: 'user3' } });
    expect(await keyOf('user3')).toBe('new@example.com');
    await database.users.update({ email: '' }, { where: { username: 'user3' } });
    expect(await keyOf('user3')).toBe('');
    const made = { username: 'made', username_key: 'made', password: '', aff_code: 'made', email: 'Ｍ@x.co' };
    await database.users.create(made);
    expect(await keyOf('made')).toBe('m@x.co');
  });
});
