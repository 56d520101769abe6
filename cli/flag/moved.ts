import { existsSync } from 'node:fs';
import type { Config } from '../../core/config.ts';
import type { Context } from '../context.ts';

/** What is said of a database that is only read: where its rows are now, or which move into it is not finished. */
export interface MovedAway {
  moved_to?: string;
  moved_from?: string;
}

/**
 * For commands that open the database without the installation, which refuses one that was moved away: such a one may be read, which is
 * said, and is never written to.
 */
export async function databaseFor(
  context: Pick<Context, 'config' | 'output' | 'speak'>,
  work: 'reading' | 'writing',
): Promise<{ config: Config; moved: MovedAway }> {
  const config = await context.config();
  const { database, dataDirectory } = config;
  if (work === 'reading' && database.engine === 'sqlite' && existsSync(database.file)) {
    const { refuseEmptied } = await import('../../core/billing/check-sqlite.ts');
    await refuseEmptied(database.file, dataDirectory);
  }
  const { moveObjection } = await import('../../core/database/move-mark.ts');
  const objection = await moveObjection(config.database);
  if (!objection) return { config, moved: {} };
  if (work === 'writing') throw objection;
  const { place = '', date = '' } = objection.details as { place?: string; date?: string };
  const isMoved = objection.code === 'database.moved';
  context.output.say(context.speak(isMoved ? 'dbMove.readMoved' : 'dbMove.readHalf', { place, date }));
  return { config, moved: isMoved ? { moved_to: place } : { moved_from: place } };
}

/** For a restore, which replaces a database that is broken, too: only one that is known to be elsewhere is left alone. */
export async function refuseMovedAway(database: Config['database']): Promise<void> {
  const { moveObjection } = await import('../../core/database/move-mark.ts');
  const objection = await moveObjection(database).catch(() => undefined);
  if (objection) throw objection;
}
