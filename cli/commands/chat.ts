import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { plainText } from '../../core/lib/plain-text.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { Log } from '../../core/schemas/log.ts';
import { type Token, tokenListSchema, tokenStatus } from '../../core/schemas/token.ts';
import { coded } from '../../core/text/coded.ts';
import { type ChatCall, listModels, openChat } from '../chat-stream.ts';
import type { Context } from '../context.ts';
import { findRoot } from '../find-root.ts';
import { example, usage } from '../flag/selection.ts';
import { untilStopped } from '../interruption.ts';
import { serverAddress } from '../serve/address.ts';
import { runningConfig } from '../serve/server-file.ts';
import { findTokens } from './token/find.ts';

interface Flags {
  model?: string;
  token?: string;
  system?: string;
  url?: string;
}

interface ChatResult {
  text: string;
  requestId: string;
  firstTokenMs: number | null;
  totalMs: number;
}

/** The row of a call is written just before its last byte, unless the database is busy. */
const rowWaitMs = 2000;
const rowPollMs = 50;

export function define(command: Command, context: Context): void {
  const { host, input, speak } = context;
  example(
    command,
    context,
    'chat "Why is the sky blue?" --model gpt-4o-mini',
    'chat - --system "Translate" < text.txt',
  );
  command
    .argument('<prompt...>', speak('argument.prompt'))
    .option('-m, --model <name>', speak('flag.chatModel'))
    .option('--token <token>', speak('flag.chatToken'))
    .option('--system <text>', speak('flag.system'))
    .option('--url <address>', speak('flag.chatUrl'))
    .action(async (words: string[], flags: Flags) => {
      const prompt = words.join(' ') === '-' ? await input.readAll() : words.join(' ');
      if (prompt.trim() === '') throw usage(command, speak('chat.emptyPrompt'));
      const address =
        flags.url === undefined ? serverAddress(runningConfig(await context.config())) : addressFrom(flags.url);
      const app = await context.app();
      const token = await tokenFor(app, flags.token);
      const key = `sk-${await app.services.tokens.reveal(systemActor, token.id)}`;
      const model = flags.model ?? (await firstModel(address, key, token));
      const system = flags.system === undefined ? [] : [{ role: 'system' as const, content: flags.system }];
      const messages = [...system, { role: 'user' as const, content: prompt }];
      let result: ChatResult | undefined;
      const ending = await untilStopped(host, async (signal) => {
        result = await relay(context, { address, key, model, messages, signal });
      });
      if (ending === 'interrupted') throw new AppError('cli.interrupted');
      if (result) await report(context, app, model, result);
    });
}

function addressFrom(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new AppError('input.invalid', { reason: `--url "${url.slice(0, 80)}": ${coded('input.serverAddress')}` });
  }
  return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** The newest one of root unless another is named: no other user's balance is spent unasked. */
async function tokenFor(app: App, word: string | undefined): Promise<Token> {
  if (word !== undefined) {
    const [token] = await findTokens(app, [word], undefined);
    if (token) return token;
  }
  const { id: userId } = await findRoot(app);
  const { items } = await app.services.tokens.list(systemActor, tokenListSchema.parse({ page_size: 100 }), { userId });
  const token = items.find(({ status }) => status === tokenStatus.enabled);
  if (!token) throw new AppError('chat.noToken');
  return token;
}

async function firstModel(address: string, key: string, token: Token): Promise<string> {
  // Brings the probe of upstreams with it, which help and most calls do without.
  const { chatModelOf } = await import('../first-run/first-question.ts');
  const model = chatModelOf({ models: (await listModels(address, key)).join(',') });
  if (!model) throw new AppError('chat.noModel', { token: token.name });
  return model;
}

/** The response is shown while it comes; what arrived before a failure stays. */
async function relay({ output }: Context, call: ChatCall): Promise<ChatResult> {
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  const { requestId, texts } = await openChat(call);
  let text = '';
  let firstTokenMs: number | null = null;
  try {
    for await (const piece of texts) {
      firstTokenMs ??= since();
      text += piece;
      if (!output.json) output.text(output.terminal ? plainText(piece) : piece);
    }
  } finally {
    if (!output.json && text !== '' && !text.endsWith('\n')) output.text('\n');
  }
  return { text, requestId, firstTokenMs, totalMs: since() };
}

/** What it cost and who served it, as the log tells. */
async function report(context: Context, app: App, model: string, result: ChatResult): Promise<void> {
  const { output, speak } = context;
  const log = await findRow(app, result.requestId);
  if (output.json) {
    return output.details({
      model: log?.model_name ?? model,
      answer: result.text,
      first_token_ms: result.firstTokenMs,
      total_ms: result.totalMs,
      channel: log?.channel ?? null,
      channel_name: log?.channel_name ?? null,
      prompt_tokens: log?.prompt_tokens ?? null,
      completion_tokens: log?.completion_tokens ?? null,
      quota: log?.quota ?? null,
      request_id: result.requestId,
    });
  }
  const details = { model, ms: result.firstTokenMs ?? result.totalMs, id: result.requestId };
  if (!log) return output.say(speak('chat.unlogged', details));
  output.say(
    speak('chat.report', {
      ...details,
      model: log.model_name,
      channel: `#${log.channel}${log.channel_name && ` ${log.channel_name}`}`,
      prompt: log.prompt_tokens,
      completion: log.completion_tokens,
      cost: costOf(app, log),
    }),
  );
}

/** A single call costs less than a cent: as exact as its receipt. */
function costOf({ services: { options } }: App, { quota }: Log): string {
  const dollars = quota / options.get('QuotaPerUnit');
  return options.get('DisplayInCurrencyEnabled') ? `$${dollars.toFixed(6)}` : String(quota);
}

async function findRow({ services }: App, requestId: string): Promise<Log | undefined> {
  for (const deadline = performance.now() + rowWaitMs; ; await pause(rowPollMs)) {
    try {
      return await services.logs.get(systemActor, requestId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'object.notFound') throw error;
      // Where consumption is not logged there never is one.
      if (performance.now() > deadline) return undefined;
    }
  }
}
