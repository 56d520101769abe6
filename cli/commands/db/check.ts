import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { type Finding, finding, findingColumns } from '../../doctor/finding.ts';
import { exitCode } from '../../failure.ts';
import { example } from '../../flag/selection.ts';
import { requireInstallation } from '../../passing-place.ts';

export function addCheck(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('check')
    .description(speak('help.dbCheck'))
    .action(async () => {
      const items = await examine(context);
      if (items.some(({ status }) => status === 'fail')) context.exitCode = exitCode.failed;
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, findingColumns(speak));
    });
  example(command, context, 'db check');
}

async function examine(context: Context): Promise<Finding[]> {
  const { speak } = context;
  const config = await context.config();
  await requireInstallation(config);
  const { database: target, dataDirectory } = config;
  const findings: Finding[] = [];
  if (target.engine === 'sqlite') {
    const { fileDamage } = await import('../../../core/services/upkeep/database-check.ts');
    const damage = await fileDamage(target.file, dataDirectory);
    findings.push(
      damage === undefined
        ? finding('file', 'ok', speak('check.file'))
        : finding('file', 'fail', speak('check.fileDamaged', { reason: damage })),
    );
    // Every further response would be drawn from broken pages.
    if (damage !== undefined) return findings;
  }
  const { migrationStatus } = await import('../../../core/database/migrate.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  const { executed, pending } = await migrationStatus(target, migrations);
  if (pending.length > 0) {
    return [...findings, finding('schema', 'fail', speak('check.schemaWaits', { count: pending.length }))];
  }
  const schema = await examineSchema(context, executed.length);
  findings.push(schema);
  return schema.status === 'fail' ? findings : [...findings, ...(await examineContent(context))];
}

async function examineSchema({ config, speak }: Context, count: number): Promise<Finding> {
  const { foreignParts } = await import('../../../core/services/upkeep/database-check.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  try {
    const foreign = await foreignParts((await config()).database, migrations);
    return foreign.length === 0
      ? finding('schema', 'ok', speak('check.schema', { count }))
      : finding('schema', 'fail', speak('check.schemaForeign', { names: foreign.slice(0, 20).join(', ') }));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'database.compareRefused') throw error;
    return finding('schema', 'warn', speak('check.schemaUnknown', { count, reason: String(error.details.reason) }));
  }
}

async function examineContent(context: Context): Promise<Finding[]> {
  const { speak } = context;
  const { checkContent } = await import('../../../core/services/upkeep/database-check.ts');
  const { inspectInstallation } = await import('../../../core/services/upkeep/installation.ts');
  const { config, database, secretBox, services } = await context.app();
  const { abilities, pricing } = services;
  const { ledger, wrongAbilities, strayTokens } = await checkContent(systemActor, {
    target: config.database,
    logDatabase: config.logDatabase,
    database,
    abilities,
  });
  const { unreadableKeys } = await inspectInstallation(systemActor, { database, secretBox, pricing });
  const ids = strayTokens.slice(0, 20).join(' ');
  return [
    ledger.ok
      ? finding('ledger', 'ok', speak('check.ledger', ledger.checked))
      : finding('ledger', 'fail', speak('check.ledgerWrong', { count: ledger.differenceCount })),
    wrongAbilities === 0
      ? finding('abilities', 'ok', speak('check.abilities'))
      : finding('abilities', 'fail', speak('check.abilitiesWrong', { count: wrongAbilities })),
    strayTokens.length === 0
      ? finding('tokens', 'ok', speak('check.tokens'))
      : finding('tokens', 'fail', speak('check.tokensStray', { ids })),
    unreadableKeys === 0
      ? finding('secrets', 'ok', speak('check.secrets'))
      : finding('secrets', 'fail', speak('check.secretsClosed', { count: unreadableKeys })),
  ];
}
