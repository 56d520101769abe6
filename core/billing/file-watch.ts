import { stat } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { asDamage } from '../database/sqlite-damage.ts';
import { createFileIdentity } from './file-identity.ts';
import { StoreError } from './ledger-store.ts';

/** Beyond what any load leaves there, because a commit begins the log again once all of it has been taken over. */
const defaultLogBytes = 256 * 1024 * 1024;

export interface FileWatch {
  /** Balances in a broken file, or in one that does not exist any more, are not to be trusted: nothing new may begin on them. */
  isDamaged(): boolean;
  /** The file that is written to is not the one at its place: what is written there is lost. */
  isLost(): boolean;
  /** The file was closed and opened again. */
  opened(): void;
  /** Of a write that failed. */
  failed(error: unknown): void;
  /** Looks whether the files are still those that were opened, and at the size of the write-ahead log; a warning each time it has doubled. */
  look(): Promise<void>;
}

export interface FileWatchDependencies {
  database: Config['database'];
  warn(text: string, fields: Record<string, unknown>): void;
  alarm(text: string, fields: Record<string, unknown>): void;
  maxLogBytes?: number;
}

/** What a running server notices of a SQLite file: that it is broken, or that something keeps its log from being taken over. */
export function createFileWatch({
  database,
  warn,
  alarm,
  maxLogBytes = defaultLogBytes,
}: FileWatchDependencies): FileWatch {
  const file = database.engine === 'sqlite' ? database.file : undefined;
  const identity = file === undefined ? undefined : createFileIdentity(file);
  let isDamaged = false;
  let isLost = false;
  let warnAtBytes = maxLogBytes;

  async function lookAtIdentity(): Promise<void> {
    const fault = await identity?.look();
    if (fault !== undefined && !isLost) {
      const hint = 'stop the server, put the file or a copy back (tollgate db restore), then start it again';
      alarm(`${fault}; no new call begins, what running calls cost is kept in the spool`, { hint });
    }
    if (fault === undefined && isLost) warn('the database file is back at its place', { file: file ?? '' });
    isLost = fault !== undefined;
  }

  return {
    isDamaged: () => isDamaged || isLost,
    isLost: () => isLost,
    opened: () => identity?.forgetLog(),
    failed(error) {
      const damage = file && error instanceof StoreError && asDamage(error.cause, file);
      if (!damage || isDamaged) return;
      isDamaged = true;
      const text = `${damage.text('en')}; no new call begins, what running calls cost is kept in the spool`;
      alarm(`${text}. Stop the server and repair the file`, { hint: damage.hint('en') });
    },
    async look() {
      await lookAtIdentity();
      // Without a log there is nothing to look at.
      const { size } = file ? await stat(`${file}-wal`).catch(() => ({ size: 0 })) : { size: 0 };
      if (size < maxLogBytes) warnAtBytes = maxLogBytes;
      if (size < warnAtBytes) return;
      warnAtBytes = 2 * size;
      const reason = 'some program reads an old state of the database and does not end; look who has it open';
      warn(`${file}-wal has grown large`, { megabytes: Math.round(size / 1024 / 1024), reason });
    },
  };
}
