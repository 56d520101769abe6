import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sequelize, Transaction } from 'sequelize';
import { AppError } from '../errors/app-error.ts';
import type { Change } from '../schemas/audit.ts';

export interface Rehearsal {
  /** What the audit log would say afterward, in order. */
  changes: Change[];
}

interface Scene extends Rehearsal {
  outer: Transaction;
  /** The transaction a call is in, as a savepoint of the outer one. */
  inner?: Transaction;
  /** Shared by all calls of the scene. */
  state: { last: Promise<unknown>; isOver: boolean; endsAtMs: number };
}

export type RunInTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/**
 * A rehearsal holds SQLite's one write lock, and row locks of PostgreSQL: a server beside it waits. Others give up after five
 * seconds, so a rehearsal ends before.
 */
const maxMs = 4000;

/**
 * Work that is done and taken back: one outer transaction that is always rolled back, in which every transaction of the
 * services is a savepoint. Only calls made by the work itself are in it; whatever else the process does goes its own way.
 * PostgreSQL does not give back the numbers its sequences handed out, so the next row made there may skip a few ids.
 */
export function createRehearsals(sequelize: Sequelize, transact: RunInTransaction) {
  const scenes = new AsyncLocalStorage<Scene>();
  let isWatching = false;

  /** Statements outside a transaction take another connection of the pool, which would wait for this one's locks. */
  function watchStatements(): void {
    if (isWatching) return;
    isWatching = true;
    type Query = (sql: unknown, options?: { transaction?: Transaction | null }) => Promise<unknown>;
    const run = sequelize.query.bind(sequelize) as Query;
    const query: Query = (sql, options) => {
      const scene = options?.transaction ? undefined : scenes.getStore();
      if (!scene) return run(sql, options);
      if (scene.inner) return run(sql, { ...options, transaction: scene.inner });
      // A savepoint even for one statement: PostgreSQL refuses all others after one that failed.
      return savepoint(scene, (transaction) => run(sql, { ...options, transaction }));
    };
    Object.assign(sequelize, { query });
  }

  /** One after the other, because savepoints of one connection lie inside each other. */
  function savepoint<T>(scene: Scene, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const run = async () => {
      requireRunning(scene);
      const before = scene.changes.length;
      try {
        return await sequelize.transaction({ transaction: scene.outer }, (inner) =>
          scenes.run({ ...scene, inner }, () => work(inner)),
        );
      } catch (error) {
        scene.changes.length = before;
        throw error;
      }
    };
    const result = scene.state.last.then(run);
    // The next one starts whatever became of this one; its caller hears of it.
    scene.state.last = result.catch(() => {});
    return result;
  }

  const transaction: RunInTransaction = (work) => {
    const scene = scenes.getStore();
    if (scene?.inner) throw new Error('a transaction inside another one would wait for itself');
    return scene ? savepoint(scene, work) : transact(work);
  };

  async function rehearse<T>(work: () => Promise<T>, limitMs = maxMs): Promise<{ result: T; changes: Change[] }> {
    watchStatements();
    const changes: Change[] = [];
    const takenBack = new Error('taken back');
    let result: { value: T } | undefined;
    const play = async (outer: Transaction) => {
      const state: Scene['state'] = { last: Promise.resolve(), isOver: false, endsAtMs: performance.now() + limitMs };
      try {
        result = { value: await scenes.run({ outer, state, changes }, work) };
      } finally {
        state.isOver = true;
      }
      throw takenBack;
    };
    try {
      await transact(play);
    } catch (error) {
      if (error !== takenBack) throw error;
    }
    if (!result) throw takenBack;
    return { result: result.value, changes };
  }

  return { transaction, rehearse, current: (): Rehearsal | undefined => scenes.getStore() };
}

function requireRunning({ state }: Scene): void {
  // Something the work started and did not wait for: what it would write is of things that never happened.
  if (state.isOver) throw new Error('the rehearsal is over');
  if (performance.now() > state.endsAtMs) throw new AppError('database.rehearsalTooLong');
}
