import { open } from 'node:fs/promises';

export interface WalFlush {
  /**
   * Resolves when all that was written by now is on the disk. Calls that come while a flush runs share the one behind it. Behind one that
   * failed, all fail.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts on the disk what SQLite wrote to the write-ahead log of this database. With `synchronous = FULL` each COMMIT does so itself, with
 * the write lock taken: there a hold waits for the disk because another call ends.
 */
export async function openWalFlush(file: string): Promise<WalFlush> {
  // A system may flush only for those who can write.
  const handle = await open(`${file}-wal`, 'r+');
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let failure: unknown;

  async function flushOnce(): Promise<void> {
    try {
      // A system tells only once that something could not be written: the next flush would say that all is well.
      if (failure !== undefined) throw failure;
      await handle.datasync();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      running = undefined;
    }
  }

  function begin(): Promise<void> {
    next = undefined;
    const flush = flushOnce();
    if (failure === undefined) running = flush;
    return flush;
  }

  return {
    flush() {
      if (!running) return begin();
      next ??= running.catch(() => {}).then(begin);
      return next;
    },
    close: () => handle.close(),
  };
}
