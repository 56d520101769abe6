import { setTimeout as pause } from 'node:timers/promises';

/**
 * The one order in which a transaction locks rows on PostgreSQL, in SQL and here; two that keep to it never wait for each other:
 *
 * 1. `users`, `tokens`, `channels`, each by ascending id
 * 2. `quota_holds`, `logs`, `ended_calls`, `stray_settlements`, `usage_data`: rows of subjects locked above, or rows that no
 *    else changes
 * 3. `unlogged_sums` by subject in the alphabet (`sumSubjects`), then by ascending id
 * 4. `ledger_marks` by name
 *
 * Code that needs a later one first takes it in a transaction of its own. What a statement over many rows locks has no order: so
 * a transaction chosen to end a deadlock is retried, the ledger's by itself and all others by `againAfterConflict`.
 */
export const sumSubjects = ['channel', 'token', 'user'] as const;

const maxTries = 5;
/** Serialization failure, deadlock. */
const conflicts = ['40001', '40P01'];

export async function againAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw error;
      await pause(5 + Math.random() * 20 * tries);
    }
  }
}

function isConflict(error: unknown): boolean {
  const { parent, code } = (error ?? {}) as { parent?: { code?: unknown }; code?: unknown };
  return conflicts.includes(String(parent?.code ?? code));
}
