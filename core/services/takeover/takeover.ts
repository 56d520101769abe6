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
import { installationOf } from './closing.ts';
import { takeCodes } from './code.ts';
import { textOf } from './field.ts';
import { takeLogs } from './log.ts';
import { takeOptions } from './option.ts';
import { takeOrders } from './order.ts';
import type { LeftTable, TakeoverSource } from './source.ts';
import type { TableReport, Taking, Tally, UserBalance } from './taking.ts';
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
  /** How many rows of the source were read since the last call. */
  onRows(count: number): void;
  onTable?(report: TableReport): void;
  signal?: AbortSignal;
}

export interface TakeoverReport {
  tables: TableReport[];
  balances: UserBalance[];
  left: LeftTable[];
  /** Nothing in the dump says whether it is whole. */
  end_unknown: boolean;
}

/** Everything of an old installation, in one transaction; log rows follow, because they may be millions. */
export async function takeOver(
  actor: Actor,
  { database, secretBox, options, abilities, audit, now }: TakeoverDependencies,
  { source: opened, dryRun, merge, logs, onRows, onTable = () => {}, signal }: TakeoverRequest,
): Promise<TakeoverReport> {
  requireRole(actor, role.root);
  const takenBack = new Error('taken back');
  const ids: Taking['ids'] = { users: new Map(), tokens: new Map(), channels: new Map() };
  const source = heard(opened, onRows);
  const stopping = stoppable(source, signal);
  const left = await source.left();
  let tables: TableReport[] = [];
  let balances: UserBalance[] = [];
  const report = async (tally: Tally) => {
    await skipUnnumbered(source, tally);
    tables.push(tally.report());
    onTable(tally.report());
  };
  try {
    await database.transaction(async (transaction) => {
      const before = await contentOf(database, transaction);
      if (before.isUsed && !before.wasTakenOver && !merge) throw new AppError('takeover.notEmpty');
      const isFresh = !before.isUsed && !before.wasTakenOver;
      // The transaction may be done again after a conflict.
      [tables, balances] = [[], []];
      for (const map of Object.values(ids)) map.clear();
      const installation = await installationOf({ source: opened, database, transaction });
      const taking: Taking = {
        actor,
        audit,
        source: stopping,
        database,
        secretBox,
        transaction,
        isFresh,
        ids,
        installation,
        seen: { user: new Set(), token: new Set(), code: new Set() },
        isOlderCopy: false,
        balances,
        now: now(),
      };
      await report(await takeUsers(taking));
      await report(await takeChannels(taking, abilities));
      await report(await takeTokens(taking));
      await report(await takeOptions(taking, options));
      await report(await takeCodes(taking));
      await report(await takeOrders(taking));
      await report(await takeUsage(taking));
      const after = Object.fromEntries(tables.map(({ table, taken }) => [table, taken]));
      await audit.record(actor, { action: 'database.import', id: source.kind, after }, transaction);
      if (dryRun) throw takenBack;
      refuseStopped(signal);
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  } finally {
    await options.load();
  }
  if (logs && !dryRun) await report(await takeLogs({ source, database, ids, now: now(), signal }));
  return { tables, balances, left, end_unknown: source.isEndUnknown };
}

/** The same source, which tells of each page that was worked through. */
function heard(source: TakeoverSource, onRows: (count: number) => void): TakeoverSource {
  async function* rows(table: string) {
    for await (const page of source.rows(table)) {
      yield page;
      onRows(page.length);
    }
  }
  async function unnumbered(table: string) {
    const found = await source.unnumbered(table);
    onRows(found.length);
    return found;
  }
  return { ...source, rows, unnumbered };
}

/** The same source, which throws at the next page once the import is interrupted, so that its transaction is rolled back. */
function stoppable(source: TakeoverSource, signal: AbortSignal | undefined): TakeoverSource {
  async function* rows(table: string) {
    for await (const page of source.rows(table)) {
      refuseStopped(signal);
      yield page;
    }
  }
  return { ...source, rows };
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('takeover.interrupted');
}

/** No row here can have the ID that others know them by. */
async function skipUnnumbered(source: TakeoverSource, tally: Tally): Promise<void> {
  for (const row of await source.unnumbered(tally.report().table)) {
    const names = ['username', 'name', 'trade_no'].map((column) => textOf(row, column));
    tally.skip('badId', names.find((name) => name !== '') ?? `#${row.id}`);
  }
}

/** How many rows an import will read. */
export async function countRows(source: TakeoverSource, logs: boolean): Promise<number> {
  const tables = ['users', 'channels', 'tokens', 'redemptions', 'quota_data', ...(logs ? ['logs'] : [])];
  tables.push(source.kind === 'one-hub' ? 'orders' : 'top_ups');
  let sum = 0;
  for (const table of tables) sum += await source.count(table);
  return sum;
}

/** Whether anything but the accounts of root is here, and whether it came by an earlier take-over. */
async function contentOf(database: Database, transaction: Taking['transaction']) {
  const users = await database.users.count({ where: { role: { [Op.lt]: role.root } }, transaction });
  const channels = await database.channels.count({ transaction });
  const imports = await database.audits.count({ where: { action: 'database.import' }, transaction });
  return { isUsed: users + channels > 0, wasTakenOver: imports > 0 };
}
