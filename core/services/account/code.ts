import { randomBytes } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { lockName } from '../../database/named-lock.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** What a code proves: `email` that a user reads the mail of an address, `reset` that they may set a new password. */
const purposes = {
  email: { bytes: 3, refusal: 'code.invalid', markLength: 0 },
  // Long enough to be told by its beginning: tries of strangers, who do not know that, must not use up what its owner was mailed.
  reset: { bytes: 16, refusal: 'code.resetInvalid', markLength: 8 },
} as const;
export type CodePurpose = keyof typeof purposes;

export const codeMinutes = 10;
const lifeSeconds = codeMinutes * 60;
const maxTries = 5;
const pauseSeconds = 30;
const maxPerHour = 5;
const hourSeconds = 3600;

export interface CheckedCode {
  hash: string;
  /** Whom the code was made for, 0 = no particular user. */
  userId: number;
}

export interface CodeService {
  /**
   * A new code; only its hash is stored. One that is a decoy is counted like the others and never right: asking for one must not
   * tell whether an address is known. Throws `code.tooMany` (429).
   */
  issue(purpose: CodePurpose, subject: string, input?: { userId?: number; isDecoy?: boolean }): Promise<string>;
  /**
   * Counts the try first; a wrong one counts for every code of the subject that it may be meant for. Throws `code.invalid` or
   * `code.resetInvalid`.
   */
  check(purpose: CodePurpose, subject: string, code: string): Promise<CheckedCode>;
  /** Once and never again: with the transaction of what the code was for. */
  use(purpose: CodePurpose, checked: CheckedCode, transaction: Transaction): Promise<void>;
  /** Rows that count for nothing any more. */
  removeExpired(): Promise<void>;
}

interface CodeServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  now?: Clock;
}

export function createCodeService({ database, secretBox, now = nowSeconds }: CodeServiceDependencies): CodeService {
  // Six characters could be guessed from a bare hash of them: the keyed one covers what they are for as well.
  const textOf = (purpose: CodePurpose, subject: string, code: string) => `code:${purpose}:${subject}:${code}`;
  const markText = (purpose: CodePurpose, subject: string, code: string) =>
    `mark of ${textOf(purpose, subject, code.slice(0, purposes[purpose].markLength))}`;
  const hasMark = (purpose: CodePurpose) => purposes[purpose].markLength > 0;

  async function refuseTooMany(purpose: CodePurpose, subject: string, transaction: Transaction): Promise<void> {
    const rows = await database.oneTimeCodes.findAll({
      attributes: ['created_at'],
      // Those that are yet to come were asked for before the clock was set back.
      where: { purpose, subject, created_at: { [Op.gt]: now() - hourSeconds, [Op.lte]: now() } },
      order: [['created_at', 'DESC']],
      limit: maxPerHour,
      raw: true,
      transaction,
    });
    const newest = rows[0]?.created_at ?? 0;
    const oldest = rows[maxPerHour - 1]?.created_at ?? 0;
    const seconds = Math.max(newest + pauseSeconds, oldest + hourSeconds) - now();
    if (seconds > 0) throw new AppError('code.tooMany', { seconds }, { retryAfterSeconds: seconds });
  }

  return {
    async issue(purpose, subject, { userId = 0, isDecoy = false } = {}) {
      const code = randomBytes(purposes[purpose].bytes).toString('hex');
      const kept = isDecoy ? randomBytes(16).toString('hex') : code;
      await database.transaction(async (transaction) => {
        await lockName(database, textOf(purpose, subject, ''), transaction);
        await refuseTooMany(purpose, subject, transaction);
        const code_hash = secretBox.lookupHash(textOf(purpose, subject, kept));
        const times = { created_at: now(), expires_at: now() + lifeSeconds };
        const data = hasMark(purpose) ? secretBox.lookupHash(markText(purpose, subject, kept)) : '';
        const row = { code_hash, purpose, subject, user_id: userId, data, ...times };
        await database.oneTimeCodes.bulkCreate([row], { ignoreDuplicates: true, transaction });
      });
      return code;
    },

    async check(purpose, subject, given) {
      const code = given.trim().toLowerCase();
      const marks = hasMark(purpose) ? secretBox.lookupHashes(markText(purpose, subject, code)) : [];
      // SQL: the try is counted for the codes that are returned, and for no other.
      const live = await database.select<{ code_hash: string; user_id: number }>(
        `UPDATE one_time_codes SET tries = tries + 1
         WHERE purpose = :purpose AND subject = :subject AND data IN (:marks) AND expires_at > :now AND tries < :max
         RETURNING code_hash, user_id`,
        { purpose, subject, marks: ['', ...marks], now: now(), max: maxTries },
      );
      // A keyed hash is compared, so the time taken tells nothing about the code.
      const hashes = secretBox.lookupHashes(textOf(purpose, subject, code));
      const found = live.find(({ code_hash }) => hashes.includes(code_hash));
      if (!found) throw new AppError(purposes[purpose].refusal);
      return { hash: found.code_hash, userId: found.user_id };
    },

    async use(purpose, { hash }, transaction) {
      // Kept until the hour is over: it counts as one that was asked for.
      const where = { code_hash: hash, expires_at: { [Op.gt]: now() } };
      const [used] = await database.oneTimeCodes.update({ expires_at: 0 }, { where, transaction });
      if (used === 0) throw new AppError(purposes[purpose].refusal);
    },

    async removeExpired() {
      const hourAgo = now() - hourSeconds;
      await database.oneTimeCodes.destroy({
        where: { expires_at: { [Op.lt]: now() }, created_at: { [Op.lt]: hourAgo } },
      });
    },
  };
}
