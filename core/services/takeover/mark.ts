import { createHash } from 'node:crypto';
import { writeEntry } from '../../billing/write-entry.ts';
import type { TakeoverMarkRow } from '../../database/models/takeover-mark.ts';
import type { Earnings } from './earning.ts';
import { textOf } from './field.ts';
import type { SourceRow } from './source-reader.ts';
import { type ClosedSubject, keepUsed, type Taking } from './taking.ts';

export type MarkSubject = 'user' | 'token' | 'channel';

/** What a row of the source may still spend, and what it has spent. */
export interface SourceSums {
  quota: number;
  used: number;
}

interface MarkedRow extends SourceSums {
  subject: MarkSubject | ClosedSubject;
  id: number;
  oldId: number;
  proof?: string;
  /** Of a user. */
  earnings?: Earnings;
  /** Disabled in the source. */
  isClosed?: boolean;
}

/** Written with each row that is taken: the next import of the same installation adds what changed since. */
export async function markRow(
  { database, transaction, installation: source }: Taking,
  { subject, id, oldId, quota, used, proof = '', earnings, isClosed = false }: MarkedRow,
): Promise<void> {
  const sums = { quota, used_quota: used, imports: 1, ...earnings };
  const values = { subject, id, old_id: oldId, proof, source, closed: Number(isClosed), ...sums };
  await database.takeoverMarks.create(values, { transaction });
}

export async function markOf(
  { database, transaction }: Taking,
  subject: MarkSubject | ClosedSubject,
  id: number,
): Promise<TakeoverMarkRow | undefined> {
  const row = await database.takeoverMarks.findOne({ where: { subject, id }, raw: true, transaction });
  return (row as TakeoverMarkRow | null) ?? undefined;
}

/** The mark of a user of this very installation: another one has a user of the same id, too. */
export async function markOfUser(
  { database, transaction }: Pick<Taking, 'database' | 'transaction'>,
  oldId: number,
  proof: string,
): Promise<TakeoverMarkRow | undefined> {
  const where = { subject: 'user', old_id: oldId };
  const rows = (await database.takeoverMarks.findAll({ where, raw: true, transaction })) as TakeoverMarkRow[];
  const parts = proof.split(' ');
  return rows.find((row) => row.proof.split(' ').some((part) => parts.includes(part)));
}

/** Two things that hardly ever change at the same time, and that no other installation has: the invitation code and the salted password. */
export function proofOf(row: SourceRow): string {
  const given = ['aff_code', 'password'].map((name) => `${name}:${textOf(row, name)}`);
  const said = given.filter((text) => !text.endsWith(':'));
  return said.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 16)).join(' ');
}

const tables = { user: 'users', token: 'tokens', channel: 'channels' };
const balances = { user: 'quota', token: 'remain_quota' };
const kinds = { user: 'import', token: 'token_grant' };

/**
 * Adds to a row what it got and spent in the source since the last import. It may have been used here meanwhile, so nothing is set.
 * False when nothing changed there.
 */
export async function bookDifference(
  taking: Taking,
  mark: TakeoverMarkRow,
  { userId, quota, used, proof = mark.proof }: SourceSums & { userId: number; proof?: string },
): Promise<boolean> {
  const { database, transaction, actor, source } = taking;
  const { id } = mark;
  const subject = mark.subject as MarkSubject;
  const [gained, spent] = [quota - mark.quota, used - mark.used_quota];
  if (gained === 0 && spent === 0 && proof === mark.proof) return false;
  const imports = mark.imports + 1;
  await database.takeoverMarks.update(
    { quota, used_quota: used, imports, proof },
    { where: { subject, id }, transaction },
  );
  if (gained === 0 && spent === 0) return false;
  const balance = subject === 'channel' ? '' : `${balances[subject]} = ${balances[subject]} + :gained, `;
  // SQL: an update that adds.
  await database.sequelize.query(
    `UPDATE ${tables[subject]} SET ${balance}used_quota = used_quota + :spent WHERE id = :id`,
    { replacements: { id, gained, spent }, transaction },
  );
  if (subject !== 'channel' && gained + spent !== 0) {
    await writeEntry(database, transaction, {
      userId,
      tokenId: subject === 'token' ? id : 0,
      kind: kinds[subject],
      ref: `takeover:${subject}:${id}:${imports}`,
      amount: gained + spent,
      actorId: actor.id,
      note: source.kind,
    });
  }
  await keepUsed(taking, subject, id, spent);
  return true;
}
