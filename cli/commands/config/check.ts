import type { Command } from 'commander';
import type { Config, ConfigCheck } from '../../../core/config.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { coded } from '../../../core/text/coded.ts';
import { wordsIn } from '../../../core/text/text.ts';
import type { Context } from '../../context.ts';
import { type Finding, finding, findingColumns } from '../../doctor/finding.ts';
import { exitCode } from '../../failure.ts';
import { example } from '../../flag/selection.ts';
import { settingsOf } from './setting.ts';

/** What other programs of this family read and this one does not, without harm. */
const namesOfOthers = [
  'SESSION_SECRET',
  'SQL_MAX_IDLE_CONNS',
  'SQL_MAX_OPEN_CONNS',
  'SQL_MAX_LIFETIME',
  'REDIS_POOL_SIZE',
  'UPDATE_TASK',
  'GET_MEDIA_TOKEN',
  'GET_MEDIA_TOKEN_NOT_STREAM',
  'MAX_FILE_DOWNLOAD_MB',
  'GEMINI_SAFETY_SETTING',
  'GEMINI_MODEL_MAP',
  'GEMINI_VISION_MAX_IMAGE_NUM',
  'COHERE_SAFETY_SETTING',
  'DIFY_DEBUG',
  'AZURE_DEFAULT_API_VERSION',
  'ENABLE_PPROF',
];

/** More than two characters off is another word. */
const maxDistance = 2;
const shortestName = 7;

const sourceTexts = {
  flag: 'config.source.flag',
  environment: 'config.source.environment',
  file: 'config.source.file',
  default: 'config.source.default',
} as const;

export function addCheck(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('check')
    .description(speak('help.configCheck'))
    .action(async () => {
      const items = await examine(context);
      if (items.some(({ status }) => status === 'fail')) context.exitCode = exitCode.usage;
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, findingColumns(speak));
    });
  example(command, context, 'config check', 'config check --json');
}

async function examine(context: Context): Promise<Finding[]> {
  const { host, output, shared, speak } = context;
  const { checkConfig } = await import('../../../core/config.ts');
  const { variablesWithoutEffect } = await import('../../../core/config/warning.ts');
  const flags = { dataDir: shared.dataDir, language: shared.language };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const { config, faults, fileNames, isWeak } = checkConfig(given, host.env);
  const all = [...faults, ...(await firstStartFaults(config))];
  const wrong = new Map(all.map(({ name, error }) => [name, error.text(output.language)]));
  const warnings = new Map(config.warnings.map(({ name, text }) => [name, wordsIn(output.language, text)]));
  const known = settingsOf(config).map(({ name, value, source }) => {
    const reason = wrong.get(name);
    if (reason !== undefined) return finding(name, 'fail', speak('config.wrong', { name, reason }));
    const warning = warnings.get(name);
    if (warning !== undefined) return finding(name, 'warn', warning);
    if (name === 'CRYPTO_SECRET' && isWeak) return finding(name, 'warn', speak('doctor.secretGuessable'));
    return finding(name, 'ok', speak('config.fine', { name, value, source: speak(sourceTexts[source]) }));
  });
  const names = new Set(known.map(({ check }) => check));
  const without = [...variablesWithoutEffect, ...namesOfOthers].filter((name) => !names.has(name));
  const isSet = (name: string) => fileNames.includes(name) || Boolean(host.env[name]);
  const strangers = Object.keys(host.env).filter((name) => host.env[name]);
  return [
    ...known,
    ...without
      .filter(isSet)
      .map((name) => finding(name, 'warn', wordsIn(output.language, coded('input.noEffect', { name })))),
    ...(await unknownNames(context, new Set([...names, ...without]), fileNames, strangers)),
  ];
}

/** What a start looks at only when it makes the first account and the first channel of it. */
async function firstStartFaults({ rootPassword, initialChannel }: Config): Promise<ConfigCheck['faults']> {
  const { refuseRootPassword } = await import('../../../core/services/account/password.ts');
  const { parseInitialChannel } = await import('../../first-run/first-channel.ts');
  const faults: ConfigCheck['faults'] = [];
  const examineOne = (name: string, read: () => unknown): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push({ name, error });
    }
  };
  examineOne('TOLLGATE_ROOT_PASSWORD', () => refuseRootPassword(rootPassword));
  if (initialChannel !== undefined) examineOne('INITIAL_CHANNEL', () => parseInitialChannel(initialChannel));
  return faults;
}

/** In `.env` every name is meant for this program; in the environment only what looks like one of ours. */
async function unknownNames(
  { speak }: Context,
  known: ReadonlySet<string>,
  fileNames: string[],
  environmentNames: string[],
): Promise<Finding[]> {
  const { editDistance } = await import('../../../core/lib/edit-distance.ts');
  const nearest = (name: string) =>
    name.length < shortestName
      ? undefined
      : [...known].find((other) => other.length >= shortestName && editDistance(name, other) <= maxDistance);
  const candidates = new Set([...fileNames, ...environmentNames].filter((name) => !known.has(name)));
  return [...candidates].flatMap((name) => {
    const near = nearest(name);
    if (near) return [finding(name, 'warn', speak('config.near', { name, near }))];
    return fileNames.includes(name) ? [finding(name, 'warn', speak('config.unknown', { name }))] : [];
  });
}
