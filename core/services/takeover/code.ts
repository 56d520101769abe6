import type { RedemptionRow } from '../../database/models/redemption.ts';
import { redemptionStatus } from '../../schemas/redemption.ts';
import { redemptionKeyPlace } from '../wallet/redemption.ts';
import { closeMissing, noteSeen } from './closing.ts';
import { isDeleted, secondsOf, textOf, wholeOf } from './field.ts';
import { markOf, markRow } from './mark.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, freeId, skipIds, type Taking, type Tally } from './taking.ts';

const codeForm = /^[0-9a-f]{32}$/;

/** Redemption codes; those that are not used yet can be used here. */
export async function takeCodes(taking: Taking): Promise<Tally> {
  const { source, database, secretBox, transaction } = taking;
  const tally = createTally('redemptions');
  let highest = 0;
  for await (const page of source.rows('redemptions')) {
    for (const row of page) {
      highest = Math.max(highest, wholeOf(row, 'id'));
      const key = textOf(row, 'key').toLowerCase();
      const name = textOf(row, 'name') || `#${row.id}`;
      const where = { key_hash: secretBox.lookupHashes(key) };
      const known = codeForm.test(key) && (await database.redemptions.findOne({ where, raw: true, transaction }));
      if (known) await addSince(taking, known, row, tally);
      else if (isDeleted(row)) tally.skip('deleted', name);
      else if (!codeForm.test(key)) tally.skip('codeForm', name);
      else {
        await insert(taking, row, { key, name });
        tally.taken();
      }
    }
  }
  await closeMissing(taking, 'code', tally);
  await skipIds(taking, 'redemptions', highest);
  return tally;
}

async function insert(taking: Taking, row: SourceRow, { key, name }: { key: string; name: string }): Promise<void> {
  const { database, secretBox, transaction, ids } = taking;
  const status = wholeOf(row, 'status', redemptionStatus.disabled);
  const isKnown = Object.values(redemptionStatus).some((known) => known === status);
  const values = {
    user_id: ids.users.get(wholeOf(row, 'user_id')) ?? 0,
    name,
    status: isKnown ? status : redemptionStatus.disabled,
    quota: wholeOf(row, 'quota'),
    created_time: secondsOf(row, 'created_time'),
    redeemed_time: secondsOf(row, 'redeemed_time'),
    // Newer versions of new-api; a code that has ended there is worth nothing here either.
    expired_time: Math.max(0, secondsOf(row, 'expired_time')),
    used_user_id: ids.users.get(wholeOf(row, 'used_user_id')) ?? 0,
    key_hash: secretBox.lookupHash(key),
  };
  const place = await freeId(taking, 'redemptions', wholeOf(row, 'id'));
  const { id } = await database.redemptions.create({ ...values, ...place }, { transaction });
  const key_encrypted = secretBox.encrypt(key, redemptionKeyPlace(id));
  await database.redemptions.update({ key_encrypted }, { where: { id }, transaction });
  taking.seen.code.add(id);
  await markRow(taking, { ...markOfRow(row), id, isClosed: isClosed(row) });
}

const markOfRow = (row: SourceRow) => ({ subject: 'code' as const, oldId: wholeOf(row, 'id'), quota: 0, used: 0 });

/** Whether its being used is another matter. */
const isClosed = (row: SourceRow) =>
  isDeleted(row) || wholeOf(row, 'status', redemptionStatus.disabled) !== redemptionStatus.unused;

/** Used in the source since the last import: what it was worth is in a balance already, so it must not be used here as well. */
async function addSince(taking: Taking, known: RedemptionRow, row: SourceRow, tally: Tally): Promise<void> {
  const { id, name, status } = known;
  // Also a used one may be deleted there: with all that are invalid.
  const isUsedThere = wholeOf(row, 'status') === redemptionStatus.used;
  const mark = await markOf(taking, 'code', id);
  if (isUsedThere && status !== redemptionStatus.used) {
    await use(taking, id, row);
    tally.changed();
    tally.note('usedSince', name);
  } else {
    tally.present();
    if (isUsedThere && mark?.closed !== 1 && (await wasRedeemedHere(taking, id))) tally.note('usedTwice', name);
  }
  // A former version imported it, and noted nothing.
  if (!mark) await markRow(taking, { ...markOfRow(row), id, isClosed: false });
  await noteSeen(taking, { subject: 'code', id, isClosed: isClosed(row) }, tally);
}

async function use({ database, transaction, ids }: Taking, id: number, row: SourceRow): Promise<void> {
  const used = {
    status: redemptionStatus.used,
    redeemed_time: secondsOf(row, 'redeemed_time'),
    used_user_id: ids.users.get(wholeOf(row, 'used_user_id')) ?? 0,
  };
  await database.redemptions.update(used, { where: { id }, transaction });
}

async function wasRedeemedHere({ database, transaction }: Taking, id: number): Promise<boolean> {
  // SQL: the entries are the ledger's.
  const sql = "SELECT 1 AS one FROM quota_entries WHERE kind = 'redemption' AND ref = :ref";
  return (await database.select(sql, { ref: `redemption:${id}` }, transaction)).length > 0;
}
