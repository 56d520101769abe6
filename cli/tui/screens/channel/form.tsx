import { AppError } from '../../../../core/errors/app-error.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import {
  type Channel,
  type ChannelCreate,
  type ChannelUpdate,
  channelCreateSchema,
  channelUpdateSchema,
} from '../../../../core/schemas/channel.ts';
import { channelTypeOf, findChannelType } from '../../../../core/schemas/channel-type.ts';
import type { ChannelType } from '../../../../core/schemas/channel-type-description.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { Form, type FormField, type FormValues } from '../../components/form.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { touched } from '../../form-text.ts';
import { useOverwrite } from '../../hooks/use-overwrite.ts';
import { useStatus } from '../../hooks/use-status.tsx';

interface ChannelFormProps {
  /** Undefined for a new one. */
  channel: Channel | undefined;
  onSaved(id: number): Promise<void> | void;
}

export function ChannelForm({ channel, onSaved }: ChannelFormProps) {
  const environment = useEnvironment();
  const { speak } = environment;
  const { channels } = environment.app.services;
  const { ask } = useStatus();
  const overwrite = useOverwrite();

  async function create(input: ChannelCreate): Promise<string> {
    const created = await channels.create(systemActor, input);
    // The newest of them stands on top.
    await onSaved(created.at(-1)?.id ?? 0);
    return created.map(({ id, name }) => speak('channel.created', { id, name })).join('; ');
  }

  async function update(input: ChannelUpdate): Promise<string> {
    try {
      // Of a key only a part is shown, and a new one always replaces it.
      const { key, ...opened } = channel ?? {};
      const { id, name } = await overwrite((changes) => channels.update(systemActor, changes), input, opened);
      return speak('channel.updated', { id, name });
    } catch (error) {
      // The stored key goes to another address only on the word of the person in front of the screen.
      const isMoved = error instanceof AppError && error.code === 'channel.keyNeeded';
      if (!isMoved || input.confirmKeepKey || !(await ask(speak('tui.channel.askKeepKey')))) throw error;
      return update({ ...input, confirmKeepKey: true });
    }
  }

  const fields = fieldsFor(environment, channel === undefined);
  if (!channel) {
    const initial = {
      type: 'openai',
      group: 'default',
      priority: '0',
      weight: '0',
      auto_ban: 'on',
      max_input_tokens: '0',
    };
    return (
      <Form
        fields={fields}
        title={speak('tui.channel.newTitle')}
        initial={initial}
        schema={channelCreateSchema}
        toInput={inputOf}
        save={create}
      />
    );
  }
  const initial = valuesOf(channel);
  const changesIn = (values: FormValues) => {
    const input = inputOf(values);
    return Object.fromEntries(Object.keys(touched(values, initial)).map((name) => [name, input[name]]));
  };
  return (
    <Form
      fields={fields}
      title={speak('tui.channel.editTitle', { id: channel.id, name: channel.name })}
      initial={initial}
      schema={channelUpdateSchema}
      toInput={(values) => ({ ...changesIn(values), id: channel.id })}
      save={update}
      onSaved={() => void onSaved(channel.id)}
    />
  );
}

function valuesOf(channel: Channel): FormValues {
  const { type, name, models, group, base_url, priority, weight, tag, auto_ban, ...rest } = channel;
  return {
    name,
    models,
    group,
    base_url,
    key: '',
    tag: tag ?? '',
    type: channelTypeOf(type)?.name ?? String(type),
    priority: String(priority),
    weight: String(weight),
    auto_ban: auto_ban === 1 ? 'on' : 'off',
    test_model: rest.test_model ?? '',
    max_input_tokens: String(rest.max_input_tokens),
    model_mapping: rest.model_mapping,
    status_code_mapping: rest.status_code_mapping,
    setting: rest.setting,
    param_override: rest.param_override,
    other: rest.other,
    openai_organization: rest.openai_organization ?? '',
  };
}

function inputOf(values: FormValues): Record<string, unknown> {
  const { auto_ban = '', type = '' } = values;
  // No type has this number: the schema says so in words people understand.
  const number = findChannelType(type.trim())?.number ?? -1;
  return { ...values, type: number, auto_ban: switches.get(auto_ban.trim().toLowerCase()) ?? auto_ban };
}

const switches = new Map([
  ['on', 1],
  ['1', 1],
  ['off', 0],
  ['0', 0],
]);

function fieldsFor({ speak, language }: Environment, isNew: boolean): FormField[] {
  const json = speak('tui.channel.hint.json');
  const names = { hint: speak('tui.channel.hint.models'), isList: true, isNeeded: true };
  return [
    {
      name: 'type',
      label: speak('tui.channel.field.type'),
      hint: speak('tui.channel.hint.type', { some: 'openai, anthropic, gemini, azure, deepseek, qwen' }),
    },
    { name: 'name', label: speak('tui.channel.field.name'), isNeeded: true },
    {
      name: 'key',
      label: speak('tui.channel.key'),
      isSecret: true,
      hasLines: true,
      hint: ({ type }) => keyHint(typeNamed(type), isNew, speak),
    },
    { name: 'models', label: speak('tui.channel.field.models'), ...names },
    { name: 'group', label: speak('tui.channel.field.group'), ...names },
    {
      name: 'base_url',
      label: speak('tui.channel.field.baseUrl'),
      hint: ({ type }) => addressHint(typeNamed(type), speak),
    },
    { name: 'priority', label: speak('tui.channel.field.priority') },
    { name: 'weight', label: speak('tui.channel.field.weight') },
    { name: 'tag', label: speak('tui.channel.field.tag') },
    { name: 'auto_ban', label: speak('tui.channel.field.autoBan'), hint: speak('tui.channel.hint.autoBan') },
    { name: 'test_model', label: speak('tui.channel.field.testModel') },
    {
      name: 'max_input_tokens',
      label: speak('tui.channel.field.maxInputTokens'),
      hint: speak('tui.channel.hint.maxInputTokens'),
    },
    { name: 'model_mapping', label: speak('tui.channel.field.modelMapping'), hint: json, hasLines: true },
    { name: 'status_code_mapping', label: speak('tui.channel.field.statusMapping'), hint: json, hasLines: true },
    { name: 'setting', label: speak('tui.channel.field.setting'), hint: json, hasLines: true },
    { name: 'param_override', label: speak('tui.channel.field.override'), hint: json, hasLines: true },
    {
      name: 'other',
      label: speak('tui.channel.field.other'),
      hint: ({ type }) => otherHint(typeNamed(type), { speak, language }),
      hasLines: true,
    },
    { name: 'openai_organization', label: speak('tui.channel.field.organization') },
  ];
}

const typeNamed = (name = ''): ChannelType | undefined => findChannelType(name.trim());

type Speak = Environment['speak'];

function keyHint(type: ChannelType | undefined, isNew: boolean, speak: Speak): string {
  const form = type?.keyFormat ? speak('tui.channel.hint.keyForm', { form: type.keyFormat }) : '';
  return [form, speak(isNew ? 'tui.channel.hint.newKey' : 'tui.channel.hint.oldKey')].filter(Boolean).join('; ');
}

function addressHint(type: ChannelType | undefined, speak: Speak): string {
  if (!type) return '';
  if (type.needsBaseUrl) return speak('tui.channel.hint.needsBaseUrl');
  return type.defaultBaseUrl ? speak('tui.channel.hint.baseUrl', { address: type.defaultBaseUrl }) : '';
}

function otherHint(
  type: ChannelType | undefined,
  { speak, language }: Pick<Environment, 'speak' | 'language'>,
): string {
  if (!type?.other) return '';
  const { label, hint } = type.other;
  return speak('tui.channel.hint.other', {
    what: [label, hint]
      .map((text) => wordsIn(language, text ?? ''))
      .filter(Boolean)
      .join('; '),
  });
}
