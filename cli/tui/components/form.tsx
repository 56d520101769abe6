import { useState } from 'react';
import type { z } from 'zod';
import { useEnvironment } from '../environment.ts';
import { checkForm } from '../form-check.ts';
import type { FormField, FormValues } from '../form-field.ts';
import type { Hint } from '../hint.ts';
import { useFormLines } from '../hooks/use-form-lines.ts';
import { keyLayer, useKeys } from '../hooks/use-keys.tsx';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useErrorText, useStatus } from '../hooks/use-status.tsx';
import { useTextEdit } from '../hooks/use-text-edit.ts';
import { Line } from './line.tsx';
import { ScreenFrame } from './screen-frame.tsx';

export type { FormField, FormValues } from '../form-field.ts';

interface FormProps<S extends z.ZodType> {
  title: string;
  fields: FormField[];
  initial?: FormValues;
  schema: S;
  /** What the schema is given; the values themselves if there is nothing to add. */
  toInput?(values: FormValues): unknown;
  /** Saves; returns the sentence that says so. */
  save(value: z.output<S>): Promise<string>;
  onSaved?(): void;
}

/** One field a line. Nothing is saved before the shared schema agrees, and what it says stands under the field. */
export function Form<S extends z.ZodType>({ title, fields, initial = {}, schema, ...rest }: FormProps<S>) {
  const { toInput = (values: FormValues) => values, save, onSaved } = rest;
  const { speak, language, symbols } = useEnvironment();
  const status = useStatus();
  const errorText = useErrorText();
  const { pop, quit } = useNavigation();
  const [values, setValues] = useState<FormValues>(() => ({ ...blank(fields), ...initial }));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [focus, setFocus] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const isChanged = fields.some(({ name }) => values[name] !== (initial[name] ?? ''));

  const step = (by: number) => setFocus((focus + by + fields.length) % fields.length);
  const leave = async (go: () => void) => {
    if (!isChanged || (await status.ask(speak('tui.askDiscard')))) go();
  };
  const submit = async () => {
    if (isSaving) return;
    const check = checkForm(schema, toInput(values), { language, speak });
    const emptied = fields.filter((one) => one.isNeeded && initial[one.name] && !values[one.name]?.trim());
    if ('faults' in check || emptied.length > 0) {
      const missing = Object.fromEntries(emptied.map((one) => [one.name, speak('tui.needed')]));
      const found = { ...missing, ...('faults' in check && check.faults) };
      setFaults(found);
      const first = fields.findIndex((one) => found[one.name] !== undefined);
      if (first >= 0) setFocus(first);
      return;
    }
    setFaults({});
    setSaving(true);
    try {
      status.say(await save(check.value));
      pop();
      onSaved?.();
    } catch (error) {
      // Nothing that was written is lost: the form stays, and the reason is below its fields.
      setFaults({ '': errorText(error) });
      setSaving(false);
    }
  };

  const field = fields[focus];
  const name = field?.name ?? '';
  const caret = useTextEdit({
    name,
    value: values[name] ?? '',
    onChange: (value) => setValues((former) => ({ ...former, [name]: value })),
    lineBreak: field?.hasLines ? '\n' : field?.isList ? ',' : ' ',
    isActive: !isSaving,
    onKey({ name: key }) {
      if (key === 'tab' || key === 'down' || key === 'enter') step(1);
      else if (key === 'shift-tab' || key === 'up') step(-1);
      else if (key === 'ctrl-s') void submit();
      else if (key === 'escape') void leave(pop);
      else if (key === 'ctrl-c') void leave(quit);
      return key !== 'ctrl-l';
    },
  });
  // A form that was left, or lies under another screen, could not say that its values were refused.
  useKeys(({ name: key }) => key !== 'ctrl-l' && key !== 'ctrl-c', { layer: keyLayer.input, isActive: isSaving });

  const hints: Hint[] = [
    { key: 'Ctrl-S', label: speak('tui.keySave') },
    { key: 'Tab', label: speak('tui.keyNextField') },
    { key: 'Shift-Tab', label: speak('tui.keyFormerField') },
    { key: 'Esc', label: speak('tui.keyBack') },
  ];
  const hint = isSaving ? `${speak('tui.saving')} ${symbols.ellipsis}` : hintOf(field, values);
  const { lines, status: below } = useFormLines({ fields, values, faults, focus, caret, hint });
  return (
    <ScreenFrame title={` ${title}`} hints={hints} detail={below} isTyped>
      {lines.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen.
        <Line key={index} text={text} />
      ))}
    </ScreenFrame>
  );
}

function hintOf(field: FormField | undefined, values: FormValues): string {
  const hint = typeof field?.hint === 'function' ? field.hint(values) : field?.hint;
  return hint ?? '';
}

const blank = (fields: FormField[]): FormValues => Object.fromEntries(fields.map(({ name }) => [name, '']));
