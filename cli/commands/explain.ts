import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { explainedProtocols } from '../../core/schemas/explained-protocol.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { example, usage } from '../flag/selection.ts';
import { readTextFile } from '../input/secret.ts';

interface Flags {
  model?: string;
  group?: string;
  token?: string;
  protocol?: string;
  body?: string;
  stream?: boolean;
  channel?: string;
  address?: string;
}

const defaultWidth = 80;
const widestText = 110;

export function define(noun: Command, context: Context): void {
  const { output, speak, host } = context;
  noun
    .option('-m, --model <name>', speak('flag.explainModel'))
    .option('--group <name>', speak('flag.explainGroup'))
    .option('--token <token>', speak('flag.explainToken'))
    .addOption(noun.createOption('--protocol <name>', speak('flag.explainProtocol')).choices(explainedProtocols))
    .option('--body <file>', speak('flag.explainBody'))
    .option('--stream', speak('flag.explainStream'))
    .option('--channel <channel>', speak('flag.explainChannel'))
    .option('--address <ip>', speak('flag.explainAddress'))
    .action(async (flags: Flags) => {
      if (flags.model === undefined && flags.body === undefined)
        throw usage(noun, speak('usage.missingOption', { name: '--model' }));
      if (flags.group !== undefined && flags.token !== undefined)
        throw usage(noun, speak('usage.conflictingOption', { name: '--group', other: '--token' }));
      const app = await context.app();
      const input = await readInput(context, app, flags);
      const { openExplain } = await import('../explain/access.ts');
      const { explainedCall } = await import('../../core/http/relay/explained-call.ts');
      const { explanationView } = await import('../../core/relay/explain/explanation-view.ts');
      const explain = await openExplain(app);
      const view = explanationView(await explain(await explainedCall(input)), output.language);
      const { explanationText } = await import('../explain/explanation-text.ts');
      const { hanging } = await import('../explain/hanging.ts');
      const { quotaFormat } = await import('../print/quota-format.ts');
      const width = Math.min((output.terminal && host.stdout.columns) || defaultWidth, widestText);
      const format = quotaFormat(app.services.options);
      output.record(view, output.json ? '' : explanationText(view, format, speak, width));
      const note = speak('explain.circuits');
      output.say(output.terminal ? hanging('', note, 0, width).join('\n') : note);
      if (!view.served) context.exitCode = exitCode.notFound;
    });
  example(
    noun,
    context,
    'explain -m gpt-4o-mini',
    'explain -m claude-sonnet-4-5 --token ci --body question.json --stream',
  );
}

async function readInput({ input }: Context, app: App, flags: Flags) {
  const { body, token, channel, ...rest } = flags;
  const { explainSchema } = await import('../../core/schemas/explain.ts');
  const { findTokens } = await import('./token/find.ts');
  const [found] = token === undefined ? [] : await findTokens(app, [token], undefined);
  const named = channel === undefined ? undefined : await app.services.channels.find(systemActor, channel);
  return explainSchema.parse({
    ...rest,
    token_id: found?.id,
    channel_id: named?.id,
    body: body === '-' ? await input.readAll() : body === undefined ? undefined : await readTextFile(body),
  });
}
