import { writeEntry } from '../../billing/write-entry.ts';
import type { TokenRow } from '../../database/models/token.ts';
import { nowSeconds } from '../../lib/clock.ts';
import { splitList } from '../../lib/comma-list.ts';
import { parseIpList } from '../../lib/ip-list.ts';
import { isJsonObject, recordOf } from '../../lib/json-value.ts';
import { tokenStatus } from '../../schemas/token.ts';
import { tokenKeyPlace } from '../token/token.ts';
import { statusOf } from '../token/view.ts';
import { closeMissing, noteSeen } from './closing.ts';
import {
  flagOf,
  isBlank,
  isDeleted,
  isTooLarge,
  objectOf,
  quotaOf,
  secondsOf,
  statusIn,
  textOf,
  wholeOf,
} from './field.ts';
import { bookDifference, markOf, markRow } from './mark.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, freeId, keepUsed, skipIds, type Taking, type Tally } from './taking.ts';

/** Tokens with their keys, which go on working; what they may still spend becomes an entry of the ledger. */
export async function takeTokens(taking: Taking): Promise<Tally> {
  const tally = createTally('tokens');
  let highest = 0;
  for await (const page of taking.source.rows('tokens')) {
    for (const row of page) {
      highest = Math.max(highest, wholeOf(row, 'id'));
      const id = await takeToken(taking, row, tally);
      if (id !== undefined) taking.ids.tokens.set(wholeOf(row, 'id'), id);
    }
  }
  await closeMissing(taking, 'token', tally);
  await skipIds(taking, 'tokens', highest);
  return tally;
}

async function takeToken(taking: Taking, row: SourceRow, tally: Tally): Promise<number | undefined> {
  const { database, secretBox, transaction, ids } = taking;
  const name = textOf(row, 'name') || `#${row.id}`;
  const key = textOf(row, 'key').replace(/^sk-/, '');
  const userId = ids.users.get(wholeOf(row, 'user_id'));
  const where = { key_hash: secretBox.lookupHashes(key) };
  const known = key === '' ? null : await database.tokens.findOne({ where, raw: true, transaction });
  if (known) await noteSeen(taking, { subject: 'token', id: known.id, isClosed: isClosed(row) }, tally);
  const left = isDeleted(row) ? 'deleted' : userId === undefined ? 'noUser' : key === '' ? 'noKey' : undefined;
  if (left !== undefined || userId === undefined) {
    tally.skip(left ?? 'noUser', name);
    return undefined;
  }
  if (known) {
    if (known.user_id !== userId || known.deleted_at !== null) tally.skip('keyTaken', name);
    else await addSince(taking, known, row, tally);
    return known.user_id === userId ? known.id : undefined;
  }
  const values = valuesOf(row, userId, name, tally);
  const place = await freeId(taking, 'tokens', wholeOf(row, 'id'));
  const { id } = await database.tokens.create(
    { ...values, ...place, key_hash: secretBox.lookupHash(key) },
    { transaction },
  );
  // The place of the secret contains the row's id, which is known only now.
  const key_encrypted = secretBox.encrypt(key, tokenKeyPlace(id));
  await database.tokens.update({ key_encrypted }, { where: { id }, transaction });
  const amount = values.remain_quota + values.used_quota;
  const entry = { userId, tokenId: id, kind: 'token_grant', ref: `token:${id}:grant:1`, actorId: taking.actor.id };
  if (amount !== 0) await writeEntry(database, transaction, { ...entry, amount, note: taking.source.kind });
  await keepUsed(taking, 'token', id, values.used_quota);
  taking.seen.token.add(id);
  const mark = { oldId: wholeOf(row, 'id'), isClosed: isClosed(row), ...sumsOf(row) };
  await markRow(taking, { subject: 'token', id, ...mark });
  tally.taken();
  return id;
}

/** A token that was made here with the same key has no mark, and keeps what it has. */
async function addSince(
  taking: Taking,
  { id, user_id: userId }: TokenRow,
  row: SourceRow,
  tally: Tally,
): Promise<void> {
  const mark = await markOf(taking, 'token', id);
  if (mark && (await bookDifference(taking, mark, { ...sumsOf(row), userId }))) tally.changed();
  else tally.present();
}

const isClosed = (row: SourceRow) =>
  isDeleted(row) || !isKnownStatus(statusIn(row)) || statusIn(row) === tokenStatus.disabled;

const isKnownStatus = (status: number) => Object.values(tokenStatus).some((known) => known === status);

const sumsOf = (row: SourceRow) => ({ quota: quotaOf(row, 'remain_quota'), used: wholeOf(row, 'used_quota') });

type Values = Partial<TokenRow> & Pick<TokenRow, 'user_id' | 'remain_quota' | 'used_quota'>;

function valuesOf(row: SourceRow, user_id: number, name: string, tally: Tally): Values {
  const limits = limitsOf(row);
  if (isTooLarge(row, 'remain_quota')) tally.note('quotaLowered', name);
  if (isBlank(row, 'status')) tally.note('noStatus', name);
  if (isBlank(row, 'expired_time')) tally.note('noEnd', name);
  const { entries, invalid } = parseIpList(limits.addresses);
  if (invalid.length > 0) tally.note('badAddresses', `${name} (${invalid[0]?.slice(0, 40)})`);
  // An empty list would open the token to all addresses.
  const isOpen = limits.addresses !== '' && entries.length === 0;
  const fields = {
    user_id,
    name,
    created_time: secondsOf(row, 'created_time'),
    accessed_time: secondsOf(row, 'accessed_time'),
    expired_time: endOf(row),
    remain_quota: quotaOf(row, 'remain_quota'),
    used_quota: wholeOf(row, 'used_quota'),
    unlimited_quota: flagOf(row, 'unlimited_quota'),
    model_limits_enabled: limits.isLimited,
    model_limits: limits.models,
    allow_ips: entries.join('\n'),
    group: groupOf(row, name, tally),
  };
  return { ...fields, status: isOpen ? tokenStatus.disabled : statusHere(row, fields) };
}

const never = -1;

/** The old programs read nothing as the year 1970, which has passed; a time that no number contains has not. */
function endOf(row: SourceRow): number {
  if (!('expired_time' in row) || (isTooLarge(row, 'expired_time') && Number(row.expired_time) > 0)) return never;
  return secondsOf(row, 'expired_time');
}

/** Expired and exhausted follow from the row here: more time or quota opens the token again, unless it had not done so there. */
function statusHere(row: SourceRow, fields: Omit<Parameters<typeof statusOf>[0], 'status'>): number {
  const status = statusIn(row);
  if (!isKnownStatus(status)) return tokenStatus.disabled;
  const ended = statusOf({ ...fields, status: tokenStatus.enabled }, nowSeconds());
  return status === ended ? tokenStatus.enabled : status;
}

interface Limits {
  isLimited: boolean;
  /** A comma list. */
  models: string;
  addresses: string;
}

/** one-api names both lists differently, and one-hub keeps them in a JSON text. */
function limitsOf(row: SourceRow): Limits {
  const { limits } = objectOf(textOf(row, 'setting'));
  if (isJsonObject(limits)) {
    const [models, addresses] = [recordOf(limits.limit_model_setting), recordOf(limits.limits_ip_setting)];
    const lines = (list: unknown) => (Array.isArray(list) ? list.map(String) : []);
    return {
      isLimited: models.enabled === true,
      models: listOf(lines(models.models).join(',')),
      addresses: addresses.enabled === true ? lines(addresses.whitelist).join('\n') : '',
    };
  }
  const models = listOf(textOf(row, 'model_limits') || textOf(row, 'models'));
  const isLimited = 'models' in row ? models !== '' : flagOf(row, 'model_limits_enabled');
  return { isLimited, models, addresses: textOf(row, 'allow_ips') || textOf(row, 'subnet') };
}

/** A group that other groups stand in for has no place here. */
function groupOf(row: SourceRow, name: string, tally: Tally): string {
  const group = textOf(row, 'group');
  if (textOf(row, 'backup_group') !== '') tally.note('backupGroup', name);
  if (group !== 'auto') return group;
  tally.note('autoGroup', name);
  return '';
}

const listOf = (text: string) => [...new Set(splitList(text))].join(',');
