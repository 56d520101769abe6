import type { UsageDataRow } from '../../database/models/usage-data.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import { textOf, wholeOf } from './field.ts';
import { createTally, type Taking, type Tally } from './taking.ts';

/** Hourly sums for the charts; the old program may have several rows of one hour. */
export async function takeUsage(taking: Taking): Promise<Tally> {
  const { source, database, transaction, ids } = taking;
  const tally = createTally('quota_data');
  const cells = new Map<string, UsageDataRow>();
  for await (const page of source.rows('quota_data')) {
    for (const row of page) {
      const user_id = ids.users.get(wholeOf(row, 'user_id'));
      const created_at = wholeOf(row, 'created_at') - (wholeOf(row, 'created_at') % 3600);
      if (user_id === undefined) {
        tally.skip('noUser', textOf(row, 'username'));
        continue;
      }
      const [username, model_name] = [textOf(row, 'username'), textOf(row, 'model_name')];
      const name = JSON.stringify([user_id, model_name, created_at]);
      const cell = cells.get(name) ?? { user_id, username, model_name, created_at, token_used: 0, count: 0, quota: 0 };
      cell.token_used += wholeOf(row, 'token_used');
      cell.count += wholeOf(row, 'count');
      cell.quota += wholeOf(row, 'quota');
      cells.set(name, cell);
    }
  }
  if (cells.size === 0) return tally;
  // These hours have no log rows to be compared with.
  await markHourlySums(database, { changedAt: taking.now }, transaction);
  for (const cell of cells.values()) {
    const { user_id, model_name, created_at } = cell;
    if ((await database.usageData.count({ where: { user_id, model_name, created_at }, transaction })) > 0) {
      tally.present();
      continue;
    }
    await database.usageData.create(cell, { transaction });
    tally.taken();
  }
  return tally;
}
