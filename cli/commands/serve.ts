import cluster from 'node:cluster';
import type { Command } from 'commander';
import { isGuessable } from '../../core/config/crypto-secret.ts';
import type { Config, ConfigFlags } from '../../core/config.ts';
import { wordsIn } from '../../core/text/text.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';
import { nodeState } from '../node-version.ts';
import { isServerAt } from '../serve/address.ts';
import { serveHere } from '../serve/here.ts';
import { lowFileLimit, requireFiles } from '../serve/open-files.ts';
import { serverBeside } from '../serve/server-file.ts';
import { serveWorkers } from '../serve/worker.ts';
import type { Speak } from '../text.ts';

export function define(noun: Command, context: Context): void {
  const { speak } = context;
  example(noun, context, 'serve --port 3000');
  noun
    .option('--host <address>', speak('flag.host'))
    .option('--port <number>', speak('flag.port'))
    .option('--workers <number>', speak('flag.workers'))
    .option('--log-dir <folder>', speak('flag.logDir'))
    .option('--log-level <level>', speak('flag.logLevel'))
    .option('--log-format <format>', speak('flag.logFormat'))
    .action(async (flags: ConfigFlags) => {
      const config = await context.config(flags);
      requireFiles(lowFileLimit());
      if (cluster.isPrimary) for (const warning of await warningsOf(config, speak)) warn(context, warning);
      await (config.workers > 1 && cluster.isPrimary ? serveWorkers(context, config) : serveHere(context, config));
    });
}

/** For a script too: with --json it is a line of its own, like the one that says where the server listens. */
function warn({ output }: Context, message: string): void {
  if (output.json) output.step({ event: 'warning', message }, '');
  else output.say(message);
}

const warningsOf = async (config: Config, speak: Speak): Promise<string[]> => [
  ...nodeWarnings(speak),
  ...secretWarnings(config, speak),
  ...fileWarnings(speak),
  ...config.warnings.map(({ text }) => wordsIn(config.language, text)),
  ...(await besideWarnings(config, speak)),
];

/** People's keys and money go through it: it says when Node.js lacks security fixes, and starts. */
function nodeWarnings(speak: Speak): string[] {
  const version = process.versions.node;
  const state = nodeState(version);
  return state === 'ok' ? [] : [speak(`node.${state}`, { version })];
}

function secretWarnings({ cryptoSecrets, sources }: Config, speak: Speak): string[] {
  return sources.CRYPTO_SECRET !== 'default' && isGuessable(cryptoSecrets) ? [speak('doctor.secretGuessable')] : [];
}

/** Out of them, connections are closed before a word could be said, in a log or to a client. */
function fileWarnings(speak: Speak): string[] {
  const limit = lowFileLimit();
  return limit === undefined ? [] : [speak('serve.fewFiles', { limit })];
}

/** Started twice by mistake. Nothing breaks, so it is no reason to refuse; on the same port the start fails anyway. */
async function besideWarnings(config: Config, speak: Speak): Promise<string[]> {
  const other = serverBeside(config);
  if (!other || other.port === config.port || !(await isServerAt(other))) return [];
  return [speak('serve.beside', { pid: other.pid, port: other.port })];
}
