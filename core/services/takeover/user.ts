import { Op } from 'sequelize';
import { writeEntry } from '../../billing/write-entry.ts';
import type { TakeoverMarkRow } from '../../database/models/takeover-mark.ts';
import type { UserRow } from '../../database/models/user.ts';
import { randomAlphanumerics } from '../../lib/random-key.ts';
import { role } from '../../schemas/actor.ts';
import { usernameKey, userStatus } from '../../schemas/user.ts';
import { webhookSecretPlace } from '../user/self.ts';
import { closeMissing, noteSeen, type SeenRow } from './closing.ts';
import { addEarnings, earningsOf } from './earning.ts';
import { isBlank, isDeleted, isTooLarge, objectOf, quotaOf, statusIn, textOf, wholeOf } from './field.ts';
import { bookDifference, markOfUser, markRow, proofOf } from './mark.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, freeId, keepUsed, skipIds, type Taking, type Tally } from './taking.ts';

const outsideColumns = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'] as const;
/** Sign-ins that are not offered here. */
const otherColumns = ['lark_id', 'discord_id'] as const;
const deletedInOneApi = 3;

/** Accounts with their passwords and balances; the balance becomes an entry of the ledger. */
export async function takeUsers(taking: Taking): Promise<Tally> {
  const tally = createTally('users');
  const inviters = new Map<number, number>();
  const oldIds = new Set<number>();
  const known: SeenRow[] = [];
  let highest = 0;
  let rootLeft = taking.isFresh;
  for await (const page of taking.source.rows('users')) {
    for (const row of page) {
      const oldId = wholeOf(row, 'id');
      oldIds.add(oldId);
      highest = Math.max(highest, oldId);
      const isRoot = rootLeft && wholeOf(row, 'role') === role.root && !isGone(row);
      const id = await takeUser(taking, row, { tally, isRoot, known });
      if (isRoot) rootLeft = false;
      if (id === undefined) continue;
      taking.ids.users.set(oldId, id);
      if (wholeOf(row, 'inviter_id') > 0) inviters.set(id, wholeOf(row, 'inviter_id'));
    }
  }
  for (const [id, oldInviter] of inviters) {
    const inviter_id = taking.ids.users.get(oldInviter) ?? 0;
    const { database, transaction } = taking;
    await database.users.update({ inviter_id }, { where: { id, inviter_id: 0 }, transaction });
  }
  // All have been read: whether this is an older copy is known now.
  for (const row of known) await noteSeen(taking, row, tally);
  await closeMissing(taking, 'user', tally, oldIds);
  await skipIds(taking, 'users', highest);
  return tally;
}

const isGone = (row: SourceRow) => isDeleted(row) || statusIn(row) === deletedInOneApi;
const isDisabled = (row: SourceRow) => statusIn(row) !== userStatus.enabled;

interface UserTaking {
  tally: Tally;
  /** The root of the new installation. */
  isRoot: boolean;
  /** Those who are here already. */
  known: SeenRow[];
}

/** The id here; undefined for a user who is left out. */
async function takeUser(
  taking: Taking,
  row: SourceRow,
  { tally, isRoot, known }: UserTaking,
): Promise<number | undefined> {
  const name = textOf(row, 'username');
  const mark = await markOfUser(taking, wholeOf(row, 'id'), proofOf(row));
  const isLeft = isGone(row) || name === '';
  if (mark) {
    known.push({ subject: 'user', id: mark.id, isClosed: isLeft || isDisabled(row) });
    // What a user has used only grows.
    if (sumsOf(row).used < mark.used_quota) {
      taking.isOlderCopy = true;
      tally.note('olderCopy', name);
    }
  }
  if (isLeft) {
    tally.skip('deleted', name || String(row.id));
    return undefined;
  }
  if (mark) return addSince(taking, mark, row, tally);
  if (isRoot) return becomeRoot(taking, row, tally);
  const username = await freeName(taking, name, row, tally);
  if (username === undefined) return undefined;
  const id = await insert(taking, row, username, tally);
  await book(taking, row, { id, username });
  tally.taken();
  return id;
}

/** Taken by an earlier import: balance, usage and earnings changed by what they changed in the source since. */
async function addSince(taking: Taking, mark: TakeoverMarkRow, row: SourceRow, tally: Tally) {
  const { database, transaction } = taking;
  const { id } = mark;
  const user = (await database.users.findOne({
    where: { id, deleted_at: null },
    raw: true,
    transaction,
  })) as UserRow | null;
  if (!user) {
    tally.skip('goneHere', textOf(row, 'username'));
    return undefined;
  }
  const sums = sumsOf(row);
  const before = user.quota;
  const after = before + sums.quota - mark.quota;
  const isBooked = await bookDifference(taking, mark, { ...sums, userId: id, proof: proofOf(row) });
  const hasEarned = await addEarnings(taking, mark, earningsOf(row));
  if (isBooked || hasEarned) tally.changed();
  else tally.present();
  taking.balances.push({ id, username: user.username, source: sums.quota, before, after });
  return id;
}

const sumsOf = (row: SourceRow) => ({ quota: quotaOf(row, 'quota'), used: wholeOf(row, 'used_quota') });

/** Root of the new installation takes the old root's name, password and balance. */
async function becomeRoot(taking: Taking, row: SourceRow, tally: Tally): Promise<number> {
  const { database, transaction } = taking;
  const where = { role: role.root, deleted_at: null };
  const root = (await database.users.findOne({
    where,
    order: [['id', 'ASC']],
    raw: true,
    transaction,
    rejectOnEmpty: true,
  })) as UserRow;
  const username = textOf(row, 'username');
  const values = await valuesOf(taking, row, username, root.id, tally);
  const version = { session_version: root.session_version + 1, role: role.root, status: userStatus.enabled };
  await database.users.update({ ...values, ...version }, { where: { id: root.id }, transaction });
  await book(taking, row, { id: root.id, username, before: root.quota, usedBefore: root.used_quota });
  tally.taken();
  return root.id;
}

async function insert(taking: Taking, row: SourceRow, username: string, tally: Tally): Promise<number> {
  const { database, transaction, isFresh } = taking;
  const place = await freeId(taking, 'users', wholeOf(row, 'id'));
  const made = await valuesOf(taking, row, username, 0, tally);
  if (!isFresh && made.role === role.root) {
    tally.note('rootLowered', username);
    made.role = role.admin;
  }
  const { id } = await database.users.create({ ...made, ...place }, { transaction });
  const setting = settingOf(taking, row, id);
  if (setting !== '') await database.users.update({ setting }, { where: { id }, transaction });
  return id;
}

interface Booking {
  id: number;
  /** Here; it may have another one in the source. */
  username: string;
  before?: number;
  usedBefore?: number;
}

/** The balance that was here before gives way to the one of the source: root's start quota. */
async function book(taking: Taking, row: SourceRow, booking: Booking): Promise<void> {
  const { id, username, before = 0, usedBefore = 0 } = booking;
  const { database, transaction, actor, source } = taking;
  const oldId = wholeOf(row, 'id');
  const { quota, used } = sumsOf(row);
  // Also of nothing: it says that this account was taken over.
  await writeEntry(database, transaction, {
    userId: id,
    kind: 'import',
    ref: `takeover:user:${id}:1`,
    amount: quota + used - before - usedBefore,
    actorId: actor.id,
    note: source.kind,
  });
  await keepUsed(taking, 'user', id, used - usedBefore);
  const [proof, earnings, isClosed] = [proofOf(row), earningsOf(row), isDisabled(row)];
  taking.seen.user.add(id);
  await markRow(taking, { subject: 'user', id, oldId, quota, used, proof, earnings, isClosed });
  taking.balances.push({ id, username, source: quota, before, after: quota });
}

async function valuesOf(taking: Taking, row: SourceRow, username: string, ownId: number, tally: Tally) {
  const { secretBox } = taking;
  const accessToken = textOf(row, 'access_token');
  if (isTooLarge(row, 'quota')) tally.note('quotaLowered', username);
  if (isBlank(row, 'status')) tally.note('noStatus', username);
  const hash = accessToken === '' ? null : secretBox.lookupHash(accessToken);
  return {
    username,
    username_key: usernameKey(username),
    password: textOf(row, 'password'),
    display_name: textOf(row, 'display_name') || username,
    role: knownRole(wholeOf(row, 'role', role.user)),
    status: isDisabled(row) ? userStatus.disabled : userStatus.enabled,
    email: textOf(row, 'email'),
    access_token_hash: hash && (await isFree(taking, 'access_token_hash', hash, ownId)) ? hash : null,
    quota: quotaOf(row, 'quota'),
    used_quota: wholeOf(row, 'used_quota'),
    request_count: wholeOf(row, 'request_count'),
    group: textOf(row, 'group') || 'default',
    aff_code: await freeCode(taking, textOf(row, 'aff_code'), ownId),
    ...earningsOf(row),
    ...(await outsideIds(taking, row, username, ownId, tally)),
  };
}

function knownRole(value: number): number {
  if (value >= role.root) return role.root;
  return value >= role.admin ? role.admin : role.user;
}

/** One outside account is one user's: the first keeps it. */
async function outsideIds(taking: Taking, row: SourceRow, username: string, ownId: number, tally: Tally) {
  const ids: Partial<Pick<UserRow, (typeof outsideColumns)[number]>> = {};
  for (const column of outsideColumns) {
    const value = textOf(row, column);
    // A number there, and 0 for none, in one-hub.
    if (value === '' || value === '0') continue;
    if (await isFree(taking, column, value, ownId)) ids[column] = value;
    else tally.note('outsideTaken', `${username} (${column})`);
  }
  for (const column of otherColumns) {
    if (textOf(row, column) !== '') tally.note('otherSignIn', `${username} (${column})`);
  }
  return ids;
}

async function freeCode(taking: Taking, wanted: string, ownId: number): Promise<string> {
  for (let length = 4, code = wanted; ; length++) {
    if (code !== '' && (await isFree(taking, 'aff_code', code, ownId))) return code;
    code = randomAlphanumerics(length);
  }
}

async function isFree({ database, transaction }: Taking, column: string, value: string, ownId: number) {
  const where = { [column]: value, id: { [Op.ne]: ownId } };
  return (await database.users.count({ where, transaction })) === 0;
}

/** Names that differ only in their letters' case were two there and are one here; a name of another user here stays theirs. */
async function freeName(taking: Taking, name: string, row: SourceRow, tally: Tally): Promise<string | undefined> {
  const [holder] = await holdersOf(taking, name);
  if (!holder) return name;
  const isTakenOver = [...taking.ids.users.values()].includes(holder.id);
  const other = `${name}_${wholeOf(row, 'id')}`;
  if (isTakenOver && (await holdersOf(taking, other)).length === 0) {
    tally.note('nameChanged', `${name} → ${other}`);
    return other;
  }
  tally.skip('nameTaken', name);
  return undefined;
}

const holdersOf = ({ database, transaction }: Taking, name: string) =>
  database.users.findAll({ where: { username_key: usernameKey(name) }, raw: true, transaction });

/** The webhook's secret lay open there. */
function settingOf({ secretBox }: Taking, row: SourceRow, id: number): string {
  const setting = objectOf(textOf(row, 'setting'));
  if (Object.keys(setting).length === 0) return '';
  const { webhook_secret: secret } = setting;
  if (typeof secret === 'string' && secret !== '') {
    setting.webhook_secret = secretBox.encrypt(secret, webhookSecretPlace(id));
  }
  return JSON.stringify(setting);
}
