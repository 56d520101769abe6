import { existsSync } from 'node:fs';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { inspectInstallation } from '../../core/services/upkeep/installation.ts';
import type { Context } from '../context.ts';
import { readable } from '../failure.ts';
import { formatTime } from '../flag/value.ts';
import { shownDatabase } from '../shown-database.ts';
import type { Speak } from '../text.ts';
import type { Finding } from './finding.ts';
import { checkMail } from './mail.ts';
import { checkPooler } from './pooler.ts';

const maxNamed = 10;
const clockToleranceSeconds = 5;

/** The stored state, or why it cannot be read; `usable` says whether the installation may be opened. */
export async function checkDatabase(
  config: Config,
  context: Context,
): Promise<{ findings: Finding[]; usable: boolean }> {
  const { speak } = context;
  const { database } = config;
  const place = shownDatabase(database);
  if (database.engine === 'sqlite' && !existsSync(database.file)) {
    const message = speak('doctor.databaseNone', { place });
    return { findings: [{ check: 'database', status: 'warn', message }], usable: false };
  }
  try {
    const damage = database.engine === 'sqlite' ? await sqliteDamage(database.file, config.dataDirectory) : undefined;
    if (damage) {
      const message = speak('doctor.databaseDamaged', { place, reason: damage });
      return { findings: [{ check: 'database', status: 'fail', message }], usable: false };
    }
    const { migrationStatus } = await import('../../core/database/migrate.ts');
    const { migrations } = await import('../../migrations/index.ts');
    const { executed, pending } = await migrationStatus(database, migrations);
    const newer = executed.find((name) => !migrations.some((known) => known.name === name));
    const reachable: Finding = { check: 'database', status: 'ok', message: speak('doctor.database', { place }) };
    const isPooled = database.engine === 'postgres' && database.directUrl !== undefined;
    const pooler = isPooled ? [await checkPooler(database, speak)] : [];
    if (newer !== undefined) {
      const message = reasonOf(new AppError('database.tooNew', { version: newer }), context);
      return { findings: [reachable, ...pooler, { check: 'migrations', status: 'fail', message }], usable: false };
    }
    if (pending.length === 0) {
      const message = speak('doctor.migrations', { count: executed.length });
      return { findings: [reachable, ...pooler, { check: 'migrations', status: 'ok', message }], usable: true };
    }
    const message = speak('doctor.migrationsWait', { count: pending.length });
    return { findings: [reachable, ...pooler, { check: 'migrations', status: 'warn', message }], usable: false };
  } catch (error) {
    const message = speak('doctor.databaseDown', { place, reason: reasonOf(error, context) });
    return { findings: [{ check: 'database', status: 'fail', message }], usable: false };
  }
}

/** What SQLite's own check finds; it reads the whole file. */
async function sqliteDamage(file: string, dataDirectory: string): Promise<string | undefined> {
  const { refuseEmptied } = await import('../../core/billing/check-sqlite.ts');
  await refuseEmptied(file, dataDirectory);
  const { openSqlite } = await import('../../core/database/sqlite-connection.ts');
  const connection = await openSqlite(file, { readOnly: true });
  try {
    const [row] = await connection.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    return row?.quick_check === 'ok' ? undefined : row?.quick_check;
  } finally {
    await connection.close();
  }
}

export async function checkInstallation(context: Context): Promise<Finding[]> {
  const { speak } = context;
  try {
    const { database, secretBox, services } = await context.app();
    const report = await inspectInstallation(systemActor, { database, secretBox, pricing: services.pricing });
    const isDefault = await services.rootAccount.hasDefaultPassword();
    const wrongAbilities = await services.abilities.countWrong();
    return [
      clockFinding(report, speak),
      isDefault
        ? { check: 'rootPassword', status: 'warn', message: speak('doctor.rootPasswordDefault') }
        : { check: 'rootPassword', status: 'ok', message: speak('doctor.rootPassword') },
      report.enabledChannels > 0
        ? { check: 'channels', status: 'ok', message: speak('doctor.channels', { count: report.enabledChannels }) }
        : { check: 'channels', status: 'warn', message: speak('doctor.channelsNone') },
      ...found(report.channelsWithoutKey.length > 0, 'channelKeys', 'warn', () =>
        speak('doctor.channelsNoKey', { names: someOf(report.channelsWithoutKey) }),
      ),
      ...found(report.unreadableKeys > 0, 'channelKeys', 'fail', () =>
        speak('doctor.masterKeyWrong', { count: report.unreadableKeys }),
      ),
      ...report.brokenChannels.slice(0, maxNamed).map(
        ({ name, problem }): Finding => ({
          check: 'channelSetup',
          status: 'warn',
          message: speak('doctor.channelBroken', { name, problem: problem.text(context.output.language) }),
        }),
      ),
      ...found(wrongAbilities > 0, 'abilities', 'warn', () => speak('check.abilitiesWrong', { count: wrongAbilities })),
      report.unpricedModels.length > 0
        ? {
            check: 'prices',
            status: 'warn',
            message: speak('doctor.pricesMissing', { names: someOf(report.unpricedModels) }),
          }
        : { check: 'prices', status: 'ok', message: speak('doctor.prices') },
      ...(await checkMail({ database, services }, context)),
    ];
  } catch (error) {
    return [{ check: 'installation', status: 'fail', message: reasonOf(error, context) }];
  }
}

function found(is: boolean, check: string, status: Finding['status'], message: () => string): Finding[] {
  return is ? [{ check, status, message: message() }] : [];
}

function clockFinding(report: { newestLogAt: number; databaseClockAhead: number }, speak: Speak): Finding {
  const now = nowSeconds();
  const time = formatTime(now);
  const apart = Math.abs(report.databaseClockAhead);
  if (apart > clockToleranceSeconds) {
    return { check: 'clock', status: 'warn', message: speak('doctor.clockApart', { seconds: apart }) };
  }
  if (report.newestLogAt > now + clockToleranceSeconds) {
    const details = { time, newest: formatTime(report.newestLogAt) };
    return { check: 'clock', status: 'warn', message: speak('doctor.clockBehind', details) };
  }
  return { check: 'clock', status: 'ok', message: speak('doctor.clock', { time }) };
}

function someOf(names: string[]): string {
  const shown = names.slice(0, maxNamed).join(', ');
  return names.length > maxNamed ? `${shown}, … (${names.length})` : shown;
}

function reasonOf(error: unknown, { output, speak }: Context): string {
  const known = readable(error);
  if (!(known instanceof AppError)) return known instanceof Error ? known.message : String(known);
  const hint = known.hint(output.language);
  const what = known.text(output.language);
  return hint ? speak('doctor.also', { what, more: hint }) : what;
}
