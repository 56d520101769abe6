import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { AbilityService } from '../ability.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { takeChannels } from './channel.ts';
import { takeCodes } from './code.ts';
import { takeLogs } from './log.ts';
import { takeOptions } from './option.ts';
import { takeOrders } from './order.ts';
import type { TakeoverSource } from './source.ts';
import type { TableReport, Taking, Tally } from './taking.ts';
import { takeTokens } from './token.ts';
import { takeUsage } from './usage.ts';
import { takeUsers } from './user.ts';

export interface TakeoverDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'put' | 'has' | 'load'>;
  abilities: Pick<AbilityService, 'rebuild'>;
  audit: Pick<AuditService, 'record'>;
  now: Clock;
}

export interface TakeoverRequest {
  source: TakeoverSource;
  /** Does everything, reports it and takes it back. */
  dryRun: boolean;
  /** Also into an installation that contains more than root. */
  merge: boolean;
  logs: boolean;
  onLogs(done: number): void;
  signal?: AbortSignal;
}

/** Everything of a one-api or new-api installation, in one transaction; log rows follow, because they may be millions. */
export async function takeOver(
  actor: Actor,
  { database, secretBox, options, abilities, audit, now }: TakeoverDependencies,
  { source, dryRun, merge, logs, onLogs, signal }: TakeoverRequest,
): Promise<TableReport[]> {
  requireRole(actor, role.root);
  const takenBack = new Error('taken back');
  const ids: Taking['ids'] = { users: new Map(), tokens: new Map(), channels: new Map() };
  let tallies: Tally[] = [];
  try {
    await database.transaction(async (transaction) => {
      const before = await contentOf(database, transaction);
      if (before.isUsed && !before.wasTakenOver && !merge) throw new AppError('takeover.notEmpty');
      const isFresh = !before.isUsed && !before.wasTakenOver;
      const taking: Taking = { actor, source, database, secretBox, transaction, isFresh, ids, now: now() };
      tallies = [
        await takeUsers(taking),
        await takeChannels(taking, abilities),
        await takeTokens(taking),
        await takeOptions(taking, options),
        await takeCodes(taking),
        await takeOrders(taking),
        await takeUsage(taking),
      ];
      const after = Object.fromEntries(tallies.map((tally) => [tally.report().table, tally.report().taken]));
      await audit.record(actor, { action: 'database.import', id: source.kind, after }, transaction);
      if (dryRun) throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  } finally {
    await options.load();
  }
  if (logs && !dryRun) tallies.push(await takeLogs({ source, database, ids, now: now(), onRows: onLogs, signal }));
  return tallies.map((tally) => tally.report());
}

/** Whether anything but the accounts of root is here, and whether it came by an earlier take-over. */
async function contentOf(database: Database, transaction: Taking['transaction']) {
  const users = await database.users.count({ where: { role: { [Op.lt]: role.root } }, transaction });
  const channels = await database.channels.count({ transaction });
  const imports = await database.audits.count({ where: { action: 'database.import' }, transaction });
  return { isUsed: users + channels > 0, wasTakenOver: imports > 0 };
}
