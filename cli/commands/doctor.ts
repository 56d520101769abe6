import type { Command } from 'commander';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { checkEncoding } from '../doctor/encoding.ts';
import { type Finding, findingColumns } from '../doctor/finding.ts';
import { checkDatabase, checkInstallation } from '../doctor/installation.ts';
import { checkLogStore } from '../doctor/log-store.ts';
import { checkDataDirectory, checkDisk, checkMasterKey, checkNode, checkPort, checkSqlite } from '../doctor/machine.ts';
import { checkRedis } from '../doctor/redis.ts';
import { checkReplica } from '../doctor/replica.ts';
import { exitCode } from '../failure.ts';
import { example } from '../flag/selection.ts';
import type { Speak } from '../text.ts';

interface DoctorFlags {
  fix?: boolean;
  yes?: boolean;
}

/** Each round of mending may bring to light what could not be looked at before. */
const maxRounds = 4;

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  noun
    .option('--fix', speak('flag.doctorFix'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ fix = false, yes }: DoctorFlags) => {
      const config = await context.config();
      let found = await examine(context, config);
      const fixed: string[] = [];
      const asked = new Set<string>();
      for (let round = 0; fix && round < maxRounds; round++) {
        const before = asked.size;
        const isOver = await mend({ context, config, found, yes, asked, fixed });
        if (isOver || asked.size === before) break;
        found = await examine(context, config);
      }
      await print(context, config, found, fixed);
    });
  example(noun, context, 'doctor', 'doctor --fix');

  async function print(context: Context, config: Config, found: Finding[], fixed: string[]): Promise<void> {
    const { mendOf } = await import('../doctor/mend.ts');
    if (found.some(({ status }) => status === 'fail')) context.exitCode = exitCode.failed;
    const items = found.map((one) => {
      const fix = mendOf(one, config, context)?.what;
      return fix === undefined ? one : { ...one, fix };
    });
    const page = { items, page: 1, page_size: items.length, total: items.length, ...(fixed.length > 0 && { fixed }) };
    await output.list(page, findingColumns(speak));
    if (items.some((item) => 'fix' in item)) output.say(speak('mend.offer'));
  }
}

interface Mending {
  context: Context;
  config: Config;
  found: Finding[];
  yes: boolean | undefined;
  /** Checks that were offered already. */
  asked: Set<string>;
  /** What was done. */
  fixed: string[];
}

/** True when the program must be restarted to go on. */
async function mend({ context, config, found, yes, asked, fixed }: Mending): Promise<boolean> {
  const { mendOf } = await import('../doctor/mend.ts');
  const { output, speak } = context;
  for (const one of found) {
    const mending = mendOf(one, config, context);
    if (!mending || asked.has(one.check)) continue;
    asked.add(one.check);
    if (!(await isWanted(context, `${one.message}\n${speak('mend.ask', { what: mending.what })}`, yes))) continue;
    await mending.run();
    fixed.push(mending.what);
    output.say(speak('mend.done', { what: mending.what }));
    if (mending.endsRun) {
      output.say(speak('mend.again'));
      return true;
    }
  }
  return false;
}

/** One no leaves the others to be asked. */
async function isWanted(context: Context, question: string, yes: boolean | undefined): Promise<boolean> {
  try {
    await context.confirm(question, yes);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'cli.declined') return false;
    throw error;
  }
}

async function examine(context: Context, config: Config): Promise<Finding[]> {
  const { speak } = context;
  const findings = [checkNode(speak), await checkDataDirectory(config, speak)];
  if (config.database.engine === 'sqlite') findings.push(await checkSqlite(speak));
  // Without the native file the database cannot even be looked at.
  if (findings.some(({ check, status }) => check === 'sqlite' && status === 'fail')) return findings;
  const database = await checkDatabase(config, context);
  findings.push(...database.findings, ...(await checkEncodings(config, speak)), await checkMasterKey(config, speak));
  if (database.usable) findings.push(...(await checkInstallation(context)));
  findings.push(await checkDisk(config, speak), await checkPort(config, speak));
  if (config.readReplica) findings.push(await checkReplica(config, speak));
  if (config.logDatabase && database.usable) findings.push(await checkLogStore(config, speak));
  if (config.redisUrl !== undefined) findings.push(await checkRedis(config.redisUrl, speak));
  return findings;
}

async function checkEncodings({ database, logDatabase }: Config, speak: Speak): Promise<Finding[]> {
  const found = [
    database.engine === 'postgres' && (await checkEncoding(database, 'SQL_DSN', speak)),
    logDatabase?.engine === 'postgres' && (await checkEncoding(logDatabase, 'LOG_SQL_DSN', speak)),
  ];
  return found.filter((one) => one !== undefined && one !== false);
}
