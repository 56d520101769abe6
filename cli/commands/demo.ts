import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type App, createApp } from '../../core/app.ts';
import { receiptOf } from '../../core/billing/receipt.ts';
import type { Config } from '../../core/config.ts';
import { createGateway } from '../../core/gateway.ts';
import { plainText } from '../../core/lib/plain-text.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../core/schemas/channel.ts';
import { tokenCreateSchema } from '../../core/schemas/token.ts';
import { type ChatCall, openChat } from '../chat-stream.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { type DemoProvider, startDemoProvider } from '../first-run/demo-provider.ts';
import { historyText, receiptText } from '../print/receipt.ts';

const question = 'Does this gateway work?';

export function define(noun: Command, context: Context): void {
  noun.action(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tollgate-demo-'));
    const provider = await startDemoProvider(randomBytes(18).toString('base64url'));
    try {
      await runDemo(context, await demoConfig(context, directory), provider);
    } finally {
      await provider.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
}

/** Nothing of the real installation: not its database, not its keys, not its port. */
async function demoConfig({ output }: Context, directory: string): Promise<Config> {
  const { loadConfig } = await import('../../core/config.ts');
  const settings = loadConfig({ dataDir: directory }, {});
  return {
    ...settings,
    database: { engine: 'sqlite', file: join(directory, 'tollgate.db') },
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    redisUrl: undefined,
    cryptoSecrets: [randomBytes(32).toString('hex')],
    rootPassword: randomBytes(18).toString('base64url'),
    initialRootToken: undefined,
    initialRootAccessToken: undefined,
    initialChannel: undefined,
    relayProxy: undefined,
    logLevel: 'silent',
    logDirectory: undefined,
    language: output.language,
  };
}

async function runDemo(context: Context, config: Config, provider: DemoProvider): Promise<void> {
  const { output, speak } = context;
  output.say(speak('demo.started'));
  const app = await createApp(config);
  try {
    const key = await setUp(app, provider);
    const gateway = await createGateway(app);
    try {
      const port = await gateway.listen(config.host, 0);
      const address = `http://127.0.0.1:${port}`;
      output.say(speak('demo.question', { url: `${address}/v1/chat/completions`, model: provider.model }));
      const call = await relayOne(context, { address, key, model: provider.model });
      await showBooks(context, app, call);
    } finally {
      await gateway.drain(0);
      await gateway.close();
    }
  } finally {
    await app.close();
  }
}

async function setUp({ services }: App, { url, key, model }: DemoProvider): Promise<string> {
  const channel = channelCreateSchema.parse({ type: 'openai', name: 'demo', models: model, base_url: url, key });
  await services.channels.create(systemActor, channel);
  const root = await services.users.find(systemActor, 'root');
  const wanted = tokenCreateSchema.parse({ name: 'demo', unlimited_quota: true });
  const token = await services.tokens.create(systemActor, wanted, { userId: root.id });
  return `sk-${token.key}`;
}

interface Call {
  requestId: string;
  text: string;
}

/** Makes one streamed call, as a client would, and prints the response as it arrives. */
async function relayOne({ output }: Context, call: Pick<ChatCall, 'address' | 'key' | 'model'>): Promise<Call> {
  const { requestId, texts } = await openChat({ ...call, messages: [{ role: 'user', content: question }] });
  if (!output.json) output.text('\n  ');
  let text = '';
  for await (const piece of texts) {
    text += piece;
    if (!output.json) output.text(piece);
  }
  if (!output.json) output.text('\n\n');
  return { requestId, text };
}

/** The charge as the log row explains it, and the proof that every balance agrees with it. */
async function showBooks(context: Context, { services, ledger }: App, { requestId, text }: Call): Promise<void> {
  const { output, speak } = context;
  const log = await services.logs.get(systemActor, requestId);
  const receipt = receiptOf(log.other);
  const report = await ledger.verify();
  if (!receipt || receipt.quota !== log.quota || !report.ok) context.exitCode = exitCode.failed;
  if (output.json)
    return output.details({
      request_id: requestId,
      answer: text,
      quota: log.quota,
      receipt: receipt ?? null,
      ledger: report,
    });
  const lines = receipt
    ? receiptText(receipt, log.quota, services.options.get('QuotaPerUnit'), speak)
    : [`  ${speak('receipt.none')}`];
  output.text(
    plainText(`${[speak('demo.bill', { id: requestId }), ...lines, ...historyText(log, speak)].join('\n')}\n\n`),
  );
  output.done(
    report.ok ? speak('ledger.ok', report.checked) : speak('ledger.wrong', { count: report.differenceCount }),
  );
  output.say(`  ${speak('demo.next')}`);
}
