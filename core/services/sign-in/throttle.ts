import { literal, Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { networkOf } from '../../lib/address-network.ts';
import { type Clock, secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** Wrong passwords of one account from one address cost nothing at first, then 1, 2, 4 … 900 seconds. */
const freeTries = 5;
const maxWaitSeconds = 900;
/** In a row and from wherever they come: then more than a password is asked for. */
const maxInARow = 100;
const forgottenAfterSeconds = secondsPerDay;

interface SignInThrottleDependencies {
  database: Database;
  secretBox: Pick<SecretBox, 'lookupHash'>;
  now: Clock;
  /** What is guessed at: each is counted by itself. */
  purpose: 'sign-in' | 'step-up' | 'two-factor';
}

export interface Guess {
  account: string;
  address: string;
  /** A browser that is known is counted by itself, and not with the strangers at its address. */
  device?: string | undefined;
  /** The account's session version: a new password forgives all that was tried before. */
  version: number;
}

export interface SignInThrottle {
  /**
   * Counts a try before anything is checked, so that tries at one time, in however many processes, are not more than tries one after
   * the other. Throws `session.tooManyTries` while the pair of account and address has to wait.
   */
  begin(guess: Guess): Promise<{ isLocked: boolean }>;
  /** The try was wrong: what there is to wait begins now, and not when the check of it began. */
  failed(guess: Guess): Promise<void>;
  /** The try was right: nothing counts any more. */
  succeeded(guess: Guess): Promise<void>;
  removeExpired(): Promise<void>;
}

/** Unknown names are counted like accounts, so that no response tells them apart. */
export function createSignInThrottle(dependencies: SignInThrottleDependencies): SignInThrottle {
  const { database, secretBox, now, purpose } = dependencies;
  const pairOf = ({ account, address, device }: Guess) =>
    secretBox.lookupHash(`tries ${purpose} of ${device ?? networkOf(address)} at ${account}`);
  const accountOf = ({ account }: Guess) => secretBox.lookupHash(`tries ${purpose} at ${account}`);

  // A try that is yet to come was made before the clock was set back.
  const isOver = '(f.last_at < :forgotten OR f.last_at > :ahead OR f.session_version <> :version)';
  const next = `CASE WHEN ${isOver} THEN 1 ELSE f.tries + 1 END`;

  /** False when the row says no: `isOpen` is asked of the row that is there. */
  async function count(subject: string, version: number, isOpen: string): Promise<boolean> {
    // SQL: what is counted, and whether it is, depends on the row as it is at this moment. One statement: between two, the right try of
    // another page could take the row away, and this one would be refused for nothing.
    const rows = await database.select(
      `INSERT INTO sign_in_failures AS f (subject_hash, tries, last_at, wait_until, session_version)
       VALUES (:subject, 1, :now, ${waitUntil(':now', '1')}, :version)
       ON CONFLICT (subject_hash) DO UPDATE
       SET tries = ${next}, last_at = :now, wait_until = ${waitUntil(':now', next)}, session_version = :version
       WHERE ${isOver} OR ${isOpen} RETURNING tries`,
      { subject, version, now: now(), forgotten: now() - forgottenAfterSeconds, ahead: now() + maxWaitSeconds },
    );
    return rows.length > 0;
  }

  async function refuse(subject: string): Promise<never> {
    const row = await database.signInFailures.findByPk(subject, { raw: true });
    const seconds = Math.max(1, (row?.wait_until ?? 0) - now());
    throw new AppError('session.tooManyTries', { seconds }, { retryAfterSeconds: seconds });
  }

  return {
    async begin(guess) {
      const pair = pairOf(guess);
      if (!(await count(pair, guess.version, 'f.wait_until <= :now'))) await refuse(pair);
      // A locked account is not counted on: strangers who go on must not keep it locked for longer.
      return { isLocked: !(await count(accountOf(guess), guess.version, `f.tries < ${maxInARow}`)) };
    },
    async failed(guess) {
      const wait_until = literal(waitUntil(String(now()), 'tries'));
      await database.signInFailures.update({ wait_until }, { where: { subject_hash: pairOf(guess) } });
    },
    async succeeded(guess) {
      await database.signInFailures.destroy({ where: { subject_hash: [pairOf(guess), accountOf(guess)] } });
    },
    async removeExpired() {
      await database.signInFailures.destroy({ where: { last_at: { [Op.lt]: now() - forgottenAfterSeconds } } });
    },
  };
}

/**
 * SQL of the moment until which to wait after so many tries, in Unix seconds. As long as tries are free it is no moment at all: of two at
 * once, the one that read the clock in the second before would have to wait for the other.
 */
function waitUntil(now: string, tries: string): string {
  return `CASE WHEN ${tries} < ${freeTries} THEN 0 WHEN ${tries} >= ${freeTries + 10} THEN ${now} + ${maxWaitSeconds}
    ELSE ${now} + (1 << CAST(${tries} - ${freeTries} AS INTEGER)) END`;
}
