import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, engines, type TemporaryTarget } from '../../support/temporary-database.ts';

describe.each(engines)('the skeleton of a username on %s', (engine) => {
  let place: TemporaryTarget;
  let database: Database;
  beforeAll(async () => {
    place = await createTemporaryTarget(engine);
    const before = migrations.findIndex(({ name }) => name.endsWith('username-skeleton'));
    await migrate(place.target, migrations.slice(0, before));
    const older = await connect(place.target);
    for (const name of ['\u0430\u0441\u0435', "O'Neil", '李雷']) {
      await older.sequelize.query(
        `INSERT INTO users (username, username_key, password, aff_code) VALUES (:name, :name, '', :name)`,
        { replacements: { name } },
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

  it('is there for accounts from before', async () => {
    const rows = await database.select<{ username_skeleton: string }>(
      'SELECT username_skeleton FROM users ORDER BY id',
    );
    expect(rows.map(({ username_skeleton }) => username_skeleton)).toEqual(['ace', "o'neil", '李雷']);
  });

  it('follows every write of a name', async () => {
    const { id } = await database.users.create({ username: 'Made', username_key: 'made', password: '' });
    const skeletonOf = async () => (await database.users.findByPk(id, { raw: true }))?.username_skeleton;
    expect(await skeletonOf()).toBe('made');
    await database.users.update({ username: '\u0441\u043e', username_key: '\u0441\u043e' }, { where: { id } });
    expect(await skeletonOf()).toBe('co');
    await database.users.update({ display_name: 'x' }, { where: { id } });
    expect(await skeletonOf()).toBe('co');
  });
});
