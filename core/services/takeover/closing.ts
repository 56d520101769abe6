import { literal, Op } from 'sequelize';
import { role } from '../../schemas/actor.ts';
import { redemptionStatus } from '../../schemas/redemption.ts';
import { userStatus } from '../../schemas/user.ts';
import { wholeOf } from './field.ts';
import { markOf, markOfUser, proofOf } from './mark.ts';
import type { ClosedSubject, Taking, Tally } from './taking.ts';

export interface SeenRow {
  subject: ClosedSubject;
  /** Of the row here. */
  id: number;
  /** Disabled or deleted in the source. */
  isClosed: boolean;
}

/** The same of users, tokens and codes. */
const closedStatus = 2;
const nouns = { user: 'user', token: 'token', code: 'redemption' } as const;
const tables = { user: 'users', token: 'tokens', code: 'redemptions' } as const;

/**
 * The number of the installation that is imported: that of the first account that is recognized, else a new one. Several may have been
 * merged, and what one of them does not have is not missing in it.
 */
export async function installationOf({
  source,
  database,
  transaction,
}: Pick<Taking, 'source' | 'database' | 'transaction'>): Promise<number> {
  const { takeoverMarks } = database;
  if ((await takeoverMarks.count({ transaction })) === 0) return 1;
  for await (const page of source.rows('users')) {
    for (const row of page) {
      const mark = await markOfUser({ database, transaction }, wholeOf(row, 'id'), proofOf(row));
      if (mark?.source) return mark.source;
    }
  }
  const highest: number | null = await takeoverMarks.max('source', { transaction });
  return (highest ?? 0) + 1;
}

/**
 * For each row of the source that is here already: one that was closed there since the last import is closed here as well. One that was
 * opened there, or was closed all along and opened here, stays as it is.
 */
export async function noteSeen(taking: Taking, row: SeenRow, tally: Tally): Promise<void> {
  const { database, transaction, installation: source, seen } = taking;
  const { subject, id, isClosed } = row;
  seen[subject].add(id);
  if (taking.isOlderCopy) return;
  const mark = await markOf(taking, subject, id);
  // The same row may have been imported from a copy before.
  if (!mark || (mark.source ?? source) !== source) return;
  const closed = Number(isClosed);
  if (mark.source !== source || mark.closed !== closed)
    await database.takeoverMarks.update({ source, closed }, { where: { subject, id }, transaction });
  if (isClosed && mark.closed !== 1) await close(taking, row, tally);
}

/** What was taken from this installation and is no longer in it was deleted there. To be called once all its rows were seen. */
export async function closeMissing(
  taking: Taking,
  subject: ClosedSubject,
  tally: Tally,
  oldIds?: ReadonlySet<number>,
): Promise<void> {
  const { database, transaction, installation, seen } = taking;
  if (taking.isOlderCopy) return;
  // A dump may have been made without the table.
  if (taking.source.columnsOf(tables[subject]).size === 0) return;
  const where = { subject, source: installation, closed: 0 };
  const attributes = ['id', 'old_id'];
  const marks = await database.takeoverMarks.findAll({ attributes, where, raw: true, transaction });
  for (const { id, old_id } of marks) {
    // An account whose password and invitation code both changed is not recognized, and is not missing either.
    if (seen[subject].has(id) || oldIds?.has(old_id)) continue;
    await database.takeoverMarks.update({ closed: 1 }, { where: { subject, id }, transaction });
    await close(taking, { subject, id }, tally);
  }
}

type ClosedRow = Omit<SeenRow, 'isClosed'>;

/** Nothing is deleted, so that an administrator can open it again. What is closed already is not told of. */
async function close(taking: Taking, { subject, id }: ClosedRow, tally: Tally): Promise<void> {
  const { actor, audit, transaction } = taking;
  if (!(await disable(taking, subject, id))) return;
  const after = { status: closedStatus };
  await audit.record(actor, { action: `${nouns[subject]}.disable`, id, after }, transaction);
  tally.note('closedSince', await nameOf(taking, subject, id));
}

async function disable({ database, transaction }: Taking, subject: ClosedSubject, id: number): Promise<boolean> {
  const where = { id, deleted_at: null };
  const fields = { status: closedStatus };
  if (subject === 'user') {
    const isOpen = { status: userStatus.enabled, role: { [Op.lt]: role.root } };
    const session_version = literal('session_version + 1') as unknown as number;
    const options = { where: { ...where, ...isOpen }, transaction };
    return (await database.users.update({ ...fields, session_version }, options))[0] > 0;
  }
  if (subject === 'token') {
    const isOpen = { status: { [Op.ne]: closedStatus } };
    return (await database.tokens.update(fields, { where: { ...where, ...isOpen }, transaction }))[0] > 0;
  }
  const isOpen = { status: redemptionStatus.unused };
  return (await database.redemptions.update(fields, { where: { ...where, ...isOpen }, transaction }))[0] > 0;
}

/** Its name here: deleted accounts got another one in the source. */
async function nameOf({ database, transaction }: Taking, subject: ClosedSubject, id: number): Promise<string> {
  const options = { where: { id }, raw: true, transaction } as const;
  if (subject === 'user') return (await database.users.findOne(options))?.username ?? '';
  if (subject === 'token') return (await database.tokens.findOne(options))?.name ?? '';
  return (await database.redemptions.findOne(options))?.name ?? '';
}
