import type { Command } from 'commander';
import type { Config } from '../../core/config.ts';
import type { Context } from '../context.ts';
import { type Finding, findingColumns } from '../doctor/finding.ts';
import { checkDatabase, checkInstallation } from '../doctor/installation.ts';
import { checkDataDirectory, checkDisk, checkMasterKey, checkNode, checkPort, checkSqlite } from '../doctor/machine.ts';
import { checkRedis } from '../doctor/redis.ts';
import { exitCode } from '../failure.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  noun.action(async () => {
    const items = await examine(context, await context.config());
    if (items.some(({ status }) => status === 'fail')) context.exitCode = exitCode.failed;
    await output.list({ items, page: 1, page_size: items.length, total: items.length }, findingColumns(speak));
  });
}

async function examine(context: Context, config: Config): Promise<Finding[]> {
  const { speak } = context;
  const findings = [checkNode(speak), await checkDataDirectory(config, speak)];
  if (config.database.engine === 'sqlite') findings.push(await checkSqlite(speak));
  // Without the native file the database cannot even be looked at.
  if (findings.some(({ check, status }) => check === 'sqlite' && status === 'fail')) return findings;
  const database = await checkDatabase(config, context);
  findings.push(...database.findings, await checkMasterKey(config, speak));
  if (database.usable) findings.push(...(await checkInstallation(context)));
  findings.push(await checkDisk(config, speak), await checkPort(config, speak));
  if (config.redisUrl !== undefined) findings.push(await checkRedis(config.redisUrl, speak));
  return findings;
}
