import { Transaction } from 'sequelize';

/** What the types of Sequelize leave out. */
interface OpenTransaction {
  finished?: 'commit' | 'rollback';
  options: object;
  connection: unknown;
  sequelize: { getQueryInterface(): Record<'commitTransaction' | 'rollbackTransaction', Ending> };
  _afterCommitHooks: ((transaction: OpenTransaction) => unknown)[];
  cleanup(): void;
  /** Closes the link, too: nothing is known of its state. */
  forceCleanup(): Promise<void>;
}
type Ending = (transaction: OpenTransaction, options: object) => Promise<unknown>;

/**
 * Sequelize writes a line to standard error when a transaction does not end (a full disk, a link that broke), and throws the error as well.
 * What catches it tells it once, in the language of the reader. These do the same as Sequelize's own without the line.
 */
export function keepTransactionsQuiet(): void {
  const own = Transaction.prototype as unknown as Record<
    'commit' | 'rollback',
    (this: OpenTransaction) => Promise<void>
  >;
  own.commit = async function commit() {
    requireOpen(this);
    try {
      await end(this, 'commitTransaction');
    } finally {
      this.finished = 'commit';
      for (const hook of this._afterCommitHooks) await hook.call(this, this);
    }
  };
  own.rollback = async function rollback() {
    requireOpen(this);
    if (!this.connection) throw new Error('a transaction that never started cannot be rolled back');
    await end(this, 'rollbackTransaction');
  };
}

function requireOpen({ finished }: OpenTransaction): void {
  if (finished) throw new Error(`this transaction has ended before (${finished})`);
}

async function end(transaction: OpenTransaction, how: 'commitTransaction' | 'rollbackTransaction'): Promise<void> {
  try {
    await transaction.sequelize.getQueryInterface()[how](transaction, transaction.options);
    transaction.cleanup();
  } catch (error) {
    await transaction.forceCleanup();
    throw error;
  }
}
