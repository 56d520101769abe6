import { AppError } from '../../../../core/errors/app-error.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type OptionItem, optionSetSchema } from '../../../../core/schemas/option.ts';
import type { OptionChange, OptionConfirm } from '../../../../core/services/option/option.ts';
import { optionText } from '../../../../core/text/option.ts';
import { endsPasswordLogin } from '../../../password-login.ts';
import { Form } from '../../components/form.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { useStatus } from '../../hooks/use-status.tsx';

interface OptionFormProps {
  item: OptionItem;
  onSaved(): void;
}

/** The value of one option; a secret is never shown, and stays when nothing is written. */
export function OptionForm({ item, onSaved }: OptionFormProps) {
  const environment = useEnvironment();
  const { app, speak, language } = environment;
  const { ask } = useStatus();
  const { key, secret, kind } = item;
  const { label, hint } = optionText(language, key);

  /** Asked once, before anything is saved. */
  async function isMeant(value: string): Promise<boolean> {
    return item.value === 'false' || !endsPasswordLogin(key, value) || ask(speak('option.askPasswordLogin'));
  }

  async function save(value: string, confirm: OptionConfirm = {}, version?: string): Promise<string> {
    try {
      return savedText(
        await app.services.options.setMany(systemActor, [{ key, value, version }], confirm),
        environment,
      );
    } catch (error) {
      // Another user saved it while this form was open.
      if (error instanceof AppError && error.code === 'option.stale') {
        if (!(await ask(speak('tui.option.askStale', { names: String(error.details.names) })))) throw error;
        return save(value, confirm);
      }
      // The stored secret goes to another address only on the word of the person in front of the screen.
      const isMoved = error instanceof AppError && error.code === 'option.secretNeeded';
      if (!isMoved || confirm.keepSecret || !(await ask(speak('tui.option.askKeepSecret')))) throw error;
      return save(value, { keepSecret: true }, version);
    }
  }

  return (
    <Form
      title={`${key}: ${label}`}
      fields={[
        {
          name: 'value',
          label: speak('tui.option.field'),
          hint: [formOf(item, environment), hint].filter(Boolean).join(' · '),
          isSecret: secret,
          hasLines: kind === 'lines' || kind === 'json' || kind === 'text',
        },
      ]}
      initial={{ value: item.value }}
      schema={optionSetSchema}
      toInput={({ value }) => ({ key, value })}
      save={async ({ value }) => {
        if (!(await isMeant(value))) throw new AppError('cli.declined');
        return save(value, {}, item.version);
      }}
      onSaved={onSaved}
    />
  );
}

/** How the value is written. */
function formOf({ kind, secret }: OptionItem, { speak }: Environment): string {
  if (secret) return speak('tui.option.hintSecret');
  if (kind === 'boolean') return speak('tui.option.hintSwitch');
  if (kind === 'lines') return speak('tui.option.hintLines');
  if (kind === 'list') return speak('tui.option.hintList');
  return kind === 'json' ? speak('tui.channel.hint.json') : '';
}

const maxSaidLength = 40;

/** What was set, and which secrets went with the address they were for. */
export function savedText({ items, cleared }: OptionChange, { speak, language }: Environment): string {
  const set = items.map(({ key, value, secret }) =>
    secret ? speak('option.setSecret', { key }) : speak('option.set', { key, value: value.slice(0, maxSaidLength) }),
  );
  const gone = cleared.map((secret) => new AppError('option.secretCleared', { secret }).text(language));
  return [...set, ...gone].join('; ');
}
