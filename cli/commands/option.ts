import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { optionCards } from '../../core/schemas/option/card.ts';
import { definitionOf, type OptionItem } from '../../core/schemas/option.ts';
import { optionText } from '../../core/text/option.ts';
import type { Language } from '../../core/text/text.ts';
import type { Context } from '../context.ts';
import { example, namesFrom, usage } from '../flag/selection.ts';
import { readSecret } from '../input/secret.ts';
import type { Column } from '../output.ts';
import { endsPasswordLogin } from '../password-login.ts';
import { sayCleared, shown, shownValue } from './option/change.ts';
import { addReset } from './option/reset.ts';
import { addTransfer } from './option/transfer.ts';

interface ListFlags {
  card?: string;
  changed?: boolean;
}

interface SetFlags {
  file?: string;
  valueStdin?: boolean;
  keepSecret?: boolean;
  yes?: boolean;
}

const columnsIn = (language: Language): Column<OptionItem>[] => [
  { title: 'KEY', value: ({ key }) => key, whole: true },
  { title: 'VALUE', value: shownValue },
  { title: 'KIND', value: ({ kind }) => kind, extra: true },
  { title: 'CARD', value: ({ card }) => card, extra: true },
  { title: 'CHANGED', value: ({ has }) => (has ? 'yes' : ''), color: () => 'yellow' },
  { title: 'LABEL', value: ({ key }) => optionText(language, key).label },
];

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('list')
    .description(speak('help.optionList'))
    .addOption(noun.createOption('--card <card>', speak('flag.card')).choices(optionCards))
    .option('--changed', speak('flag.changed'))
    .action(async ({ card, changed }: ListFlags) => {
      const { services } = await context.app();
      const all = services.options.list(systemActor);
      const items = all.filter((item) => (card === undefined || item.card === card) && (!changed || item.has));
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, columnsIn(output.language));
    });

  const get = noun.command('get').description(speak('help.optionGet'));
  example(get, context, 'option get GroupRatio RetryTimes');
  get
    .argument('<keys...>', speak('argument.optionKeys'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const { services } = await context.app();
      for (const word of await namesFrom(context, words, command)) {
        const { key, ...item } = services.options.getOne(systemActor, word);
        const { write, default: fallback, unit } = definitionOf(key);
        const { label, hint: description } = optionText(output.language, key);
        output.details({ key, label, description, ...item, default: write(fallback), ...(unit && { unit }) });
      }
    });

  const set = noun
    .command('set')
    .description(speak('help.optionSet'))
    .argument('<key>', speak('argument.optionKey'))
    .argument('[value]', speak('flag.value'))
    .option('--file <path>', speak('flag.valueFile'))
    .option('--value-stdin', speak('flag.valueStdin'))
    .option('--keep-secret', speak('flag.keepSecret'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (key: string, value: string | undefined, flags: SetFlags, command: Command) => {
      const { services } = await context.app({}, { mayMissSecrets: true });
      const item = services.options.getOne(systemActor, key);
      const { secret } = item;
      const text = await readValue(context, command, { item, value, flags });
      // A script that runs again leaves no trace of what it did not change.
      if (!secret && !services.options.differs(systemActor, { key, value: text })) {
        const item = services.options.getOne(systemActor, key);
        return output.record(item, speak('option.same', { key, value: shown(shownValue(item)) }));
      }
      if (endsPasswordLogin(key, text)) await context.confirm(speak('option.askPasswordLogin'), flags.yes);
      const change = await services.options.set(systemActor, key, text, { keepSecret: flags.keepSecret ?? false });
      for (const item of change.items)
        output.record(
          item,
          secret ? speak('option.setSecret', { key }) : speak('option.set', { key, value: shown(item.value) }),
        );
      sayCleared(output, change);
    });
  example(
    set,
    context,
    'option set RetryTimes 3',
    'option set ModelRatio --file ratio.json',
    'option set SMTPToken --value-stdin < token.txt',
  );

  addReset(noun, context);
  addTransfer(noun, context);
}

interface ValueSource {
  item: OptionItem;
  value: string | undefined;
  flags: SetFlags;
}

async function readValue(
  context: Context,
  command: Command,
  { item: { key, secret, kind }, value, flags }: ValueSource,
): Promise<string> {
  const { input, speak } = context;
  const places = [value, flags.file, flags.valueStdin || undefined].filter((place) => place !== undefined);
  const allowed = secret ? '--value-stdin, --file' : '<value>, --value-stdin, --file';
  if (secret && value !== undefined) throw new AppError('cli.secretInWords', { flag: key, instead: allowed });
  if (places.length === 0 && input.interactive) {
    const question = speak('option.askValue', { key });
    return secret ? input.askHidden(question) : input.ask(question);
  }
  if (places.length !== 1) throw usage(command, speak('usage.oneOf', { flags: allowed }));
  if (value !== undefined) return value;
  const text = (await readSecret(context, { stdin: flags.valueStdin, file: flags.file })) ?? '';
  // Empty JSON means the default; an empty file is more likely the output of a program that failed.
  if (text.trim() === '' && kind === 'json')
    throw new AppError('option.emptyInput', { place: flags.file ?? '--value-stdin', key });
  return text;
}
