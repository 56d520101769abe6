import type { Command } from 'commander';
import { splitList } from '../../../core/lib/comma-list.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema, channelUpdateSchema } from '../../../core/schemas/channel.ts';
import { channelKeyModes } from '../../../core/schemas/channel-key.ts';
import { channelIn } from '../../../core/services/channel/view.ts';
import type { Context } from '../../context.ts';
import { notEmpty } from '../../flag/check.ts';
import { addIfMissing, isThere } from '../../flag/if-missing.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, usage } from '../../flag/selection.ts';
import { addSecretFlags, askKey, readSecret } from '../../input/secret.ts';
import { sayUnpriced, unpricedOf } from '../../print/price-offer.ts';

interface Flags {
  type?: string;
  name?: string;
  models?: string;
  group?: string;
  baseUrl?: string;
  priority?: string;
  weight?: string;
  tag?: string;
  autoBan?: string;
  modelMapping?: string;
  statusCodeMapping?: string;
  setting?: string;
  paramOverride?: string;
  testModel?: string;
  maxInputTokens?: string;
  other?: string;
  organization?: string;
  keyStdin?: boolean;
  keyFile?: string;
  keyMode?: string;
  keepKey?: boolean;
  dryRun?: boolean;
}

interface CreateFlags extends Flags {
  name: string;
  ifMissing?: boolean;
}

export function addWrite(noun: Command, context: Context): void {
  const { output, speak } = context;
  const create = noun.command('create').description(speak('help.channelCreate'));
  example(
    create,
    context,
    'channel create --type openai --name main --models gpt-4o,gpt-4o-mini --key-stdin < key.txt',
    'channel create --type deepseek --name reasoning --models deepseek-reasoner --group default,vip --key-file key.txt',
    'channel create --type openai --name pool --models gpt-4o --key-mode random --key-file keys.txt',
  );
  create
    .requiredOption('--type <type>', speak('flag.type'))
    .requiredOption('--name <text>', speak('flag.name'))
    .requiredOption('--models <names>', speak('flag.models'))
    .option('--dry-run', speak('flag.dryRun'));
  addIfMissing(addFields(create, context, true), context).action(async (flags: CreateFlags, command: Command) => {
    const find = async () => {
      const { services } = await context.app();
      return channelIn(context.output.language, await services.channels.find(systemActor, flags.name));
    };
    if (await isThere(context, { ...flags, command, find })) return;
    const key = (await readSecret(context, keySource(flags))) ?? (await askKey(context));
    const input = channelCreateSchema.parse({ ...fieldsOf(flags), key });
    if (flags.dryRun) return rehearse(context, ({ services }) => services.channels.create(systemActor, input));
    const { services } = await context.app();
    const created = await services.channels.create(systemActor, input);
    for (const channel of created) {
      output.record(
        channelIn(output.language, channel),
        speak('channel.created', { id: channel.id, name: channel.name }),
      );
    }
    sayUnpriced(context, await unpricedOf(context, { models: splitList(input.models), mapping: input.model_mapping }));
  });

  const update = noun.command('update').description(speak('help.channelUpdate'));
  example(
    update,
    context,
    'channel update main --models gpt-4o,o3 --priority 10',
    'channel update 7 --key-stdin < key.txt',
  );
  update
    .argument('<channel>', speak('argument.channel'))
    .option('--type <type>', speak('flag.type'))
    .option('--name <text>', speak('flag.name'), notEmpty(speak))
    .option('--models <names>', speak('flag.models'), notEmpty(speak))
    .option('--keep-key', speak('flag.keepKey'));
  addFields(update, context).action(async (name: string, flags: Flags, command: Command) => {
    const key = await readSecret(context, keySource(flags));
    const fields = fieldsOf(flags);
    if (key === undefined && Object.keys(fields).length === 0) throw usage(command, speak('usage.nothingToChange'));
    const { services } = await context.app();
    const { id } = await services.channels.find(systemActor, name);
    const input = channelUpdateSchema.parse({ ...fields, id, key, confirmKeepKey: flags.keepKey });
    const channel = await services.channels.update(systemActor, input);
    output.record(channelIn(output.language, channel), speak('channel.updated', { id, name: channel.name }));
    if (flags.models !== undefined)
      sayUnpriced(
        context,
        await unpricedOf(context, { models: splitList(channel.models), mapping: channel.model_mapping }),
      );
  });
}

/** Only a new channel gets defaults; one that is changed keeps what is left out. */
function addFields(command: Command, context: Context, isNew = false): Command {
  const { speak } = context;
  const saying = (text: string, value: string) => (isNew ? speak('flag.withDefault', { text, value }) : text);
  command
    .option('--group <names>', saying(speak('flag.group'), 'default'))
    .option('--base-url <url>', speak('flag.baseUrl'))
    .option('--priority <number>', saying(speak('flag.priority'), '0'))
    .option('--weight <number>', saying(speak('flag.weight'), '0'))
    .option('--tag <tag>', speak('flag.tag'))
    .addOption(command.createOption('--auto-ban <on|off>', saying(speak('flag.autoBan'), 'on')).choices(['on', 'off']))
    .option('--model-mapping <json>', speak('flag.modelMapping'))
    .option('--status-code-mapping <json>', speak('flag.statusCodeMapping'))
    .option('--setting <json>', speak('flag.setting'))
    .option('--param-override <json>', speak('flag.paramOverride'))
    .option('--test-model <name>', speak('flag.testModel'))
    .option('--max-input-tokens <number>', speak('flag.maxInputTokens'))
    .option('--other <text>', speak('flag.other'))
    .option('--organization <id>', speak('flag.organization'))
    .addOption(command.createOption('--key-mode <mode>', speak('flag.keyMode')).choices(channelKeyModes));
  return addSecretFlags(command, 'key', context);
}

/** Flags that were given, under the names of the API. */
function fieldsOf(flags: Flags): Record<string, unknown> {
  const fields = {
    type: flags.type,
    name: flags.name,
    models: flags.models,
    group: flags.group,
    base_url: flags.baseUrl,
    priority: flags.priority,
    weight: flags.weight,
    tag: flags.tag,
    auto_ban: flags.autoBan === undefined ? undefined : flags.autoBan === 'on',
    model_mapping: flags.modelMapping,
    status_code_mapping: flags.statusCodeMapping,
    setting: flags.setting,
    param_override: flags.paramOverride,
    test_model: flags.testModel,
    max_input_tokens: flags.maxInputTokens,
    other: flags.other,
    openai_organization: flags.organization,
    key_mode: flags.keyMode,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const keySource = ({ keyStdin, keyFile }: Flags) => ({ stdin: keyStdin, file: keyFile });
