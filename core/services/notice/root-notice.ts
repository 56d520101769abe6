import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/connect.ts';
import { role } from '../../schemas/actor.ts';
import { userStatus } from '../../schemas/user.ts';
import type { Notice, NoticeService } from './notice.ts';

export interface RootNoticeDependencies {
  database: Database;
  notices: Pick<NoticeService, 'put' | 'sendDue'>;
  onError(error: unknown): void;
}

/** Who is told. */
export function findRoots({ users }: Pick<Database, 'users'>) {
  const where = { role: role.root, status: userStatus.enabled, deleted_at: null };
  return users.findAll({ attributes: ['id', 'email', 'setting'], where, raw: true });
}

/** Tells root about automatic changes; no caller waits for it. */
export function createRootNotice({ database, notices, onError }: RootNoticeDependencies) {
  /** One after the other: a mail tells things in the order in which they happened. */
  let writing = Promise.resolve();
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;

  function tell(notice: Notice, afterMs: number): void {
    writing = writing
      .then(() => write(notice))
      .then((count) => {
        if (count > 0) sendAfter(afterMs);
      })
      .catch(onError);
  }

  async function write(notice: Notice): Promise<number> {
    let count = 0;
    for (const root of await findRoots(database)) count += Number(await notices.put(root, notice));
    return count;
  }

  /** Once for all that were written meanwhile; a process that ends before leaves them to the next one that looks. */
  function sendAfter(afterMs: number): void {
    sending ??= pause(afterMs, undefined, { signal: stopping.signal, ref: false })
      .then(async () => {
        sending = undefined;
        await notices.sendDue(stopping.signal);
      })
      .catch((error: unknown) => {
        sending = undefined;
        if (!stopping.signal.aborted) onError(error);
      });
  }

  return {
    tell,
    /** Resolves when everything is written down. */
    async close(): Promise<void> {
      stopping.abort();
      await writing;
      await sending;
    },
  };
}
