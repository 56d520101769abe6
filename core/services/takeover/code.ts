import { redemptionStatus } from '../../schemas/redemption.ts';
import { redemptionKeyPlace } from '../wallet/redemption.ts';
import { isDeleted, secondsOf, textOf, wholeOf } from './field.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, freeId, skipIds, type Taking, type Tally } from './taking.ts';

const codeForm = /^[0-9a-f]{32}$/;

/** Redemption codes; those that are not used yet can be used here. */
export async function takeCodes(taking: Taking): Promise<Tally> {
  const { source, database, secretBox, transaction, ids } = taking;
  const tally = createTally('redemptions');
  let highest = 0;
  for await (const page of source.rows('redemptions')) {
    for (const row of page) {
      highest = Math.max(highest, wholeOf(row, 'id'));
      const key = textOf(row, 'key').toLowerCase();
      const name = textOf(row, 'name') || `#${row.id}`;
      if (isDeleted(row)) tally.skip('deleted', name);
      else if (!codeForm.test(key)) tally.skip('codeForm', name);
      else if (await isPresent(taking, row, key, tally)) continue;
      else {
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
        tally.taken();
      }
    }
  }
  await skipIds(taking, 'redemptions', highest);
  return tally;
}

/** Used in the source since the last import: what it was worth is in a balance already, so it must not be used here as well. */
async function isPresent(taking: Taking, row: SourceRow, key: string, tally: Tally): Promise<boolean> {
  const { database, secretBox, transaction, ids } = taking;
  const where = { key_hash: secretBox.lookupHashes(key) };
  const known = await database.redemptions.findOne({ where, raw: true, transaction });
  if (!known) return false;
  const isUsedThere = wholeOf(row, 'status') === redemptionStatus.used;
  if (!isUsedThere || known.status === redemptionStatus.used) {
    tally.present();
    return true;
  }
  const used = {
    status: redemptionStatus.used,
    redeemed_time: secondsOf(row, 'redeemed_time'),
    used_user_id: ids.users.get(wholeOf(row, 'used_user_id')) ?? 0,
  };
  await database.redemptions.update(used, { where: { id: known.id }, transaction });
  tally.changed();
  tally.note('usedSince', known.name);
  return true;
}
