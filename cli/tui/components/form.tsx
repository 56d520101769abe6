import { useState } from 'react';
import type { z } from 'zod';
import { useEnvironment, useTone } from '../environment.ts';
import { cut, pad, widthOf } from '../fit.ts';
import { checkForm } from '../form-check.ts';
import type { Hint } from '../hint.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { useErrorText, useStatus } from '../hooks/use-status.tsx';
import { useTextEdit } from '../hooks/use-text-edit.ts';
import { Line } from './line.tsx';
import { frameLines, ScreenFrame } from './screen-frame.tsx';
import { caretText } from './text-input.tsx';

export interface FormField {
  /** As the schema names it. */
  name: string;
  label: string;
  /** What to write, shown while the field has the focus. */
  hint?: string | ((values: FormValues) => string);
  /** Shown as dots. */
  isSecret?: boolean;
  /** May contain line breaks, by pasting. */
  hasLines?: boolean;
}

export type FormValues = Record<string, string>;

interface FormProps<S extends z.ZodType> {
  title: string;
  fields: FormField[];
  initial?: FormValues;
  schema: S;
  /** What the schema is given; the values themselves if there is nothing to add. */
  toInput?(values: FormValues): unknown;
  /** Saves; returns the sentence that says so. */
  save(value: z.output<S>): Promise<string>;
  onSaved(): void;
}

const widestLabel = 24;

/** One field a line. Nothing is saved before the shared schema agrees, and what it says stands under the field. */
export function Form<S extends z.ZodType>({ title, fields, initial = {}, schema, ...rest }: FormProps<S>) {
  const { toInput = (values: FormValues) => values, save, onSaved } = rest;
  const { speak, language } = useEnvironment();
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
    if ('faults' in check) {
      setFaults(check.faults);
      const first = fields.findIndex(({ name }) => check.faults[name] !== undefined);
      if (first >= 0) setFocus(first);
      return;
    }
    setFaults({});
    setSaving(true);
    try {
      status.say(await save(check.value));
      pop();
      onSaved();
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
    ...(field?.hasLines && { hasLines: true }),
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

  const hints: Hint[] = [
    { key: 'Ctrl-S', label: speak('tui.keySave') },
    { key: 'Tab', label: speak('tui.keyNextField') },
    { key: 'Shift-Tab', label: speak('tui.keyFormerField') },
    { key: 'Esc', label: speak('tui.keyBack') },
  ];
  const general = Object.entries(faults).find(([key]) => !fields.some((other) => other.name === key))?.[1];
  return (
    <ScreenFrame title={` ${title}`} hints={hints} detail={hintOf(field, values)} isTyped>
      <Fields {...{ fields, values, faults, focus, caret }} room={general ? 1 : 0} />
      {general !== undefined && <Fault text={general} indent={1} />}
    </ScreenFrame>
  );
}

function hintOf(field: FormField | undefined, values: FormValues): string {
  const hint = typeof field?.hint === 'function' ? field.hint(values) : field?.hint;
  return hint ? ` ${hint}` : '';
}

const blank = (fields: FormField[]): FormValues => Object.fromEntries(fields.map(({ name }) => [name, '']));

interface FieldsProps {
  fields: FormField[];
  values: FormValues;
  faults: Record<string, string>;
  focus: number;
  caret: number;
  /** Lines that are needed below. */
  room: number;
}

/** The fields around the focused one that fit on the screen. */
function Fields({ fields, values, faults, focus, caret, room }: FieldsProps) {
  const { width, height } = useBodySize();
  const { symbols } = useEnvironment();
  const tone = useTone();
  const labels = Math.min(widestLabel, Math.max(...fields.map(({ label }) => widthOf(label))));
  const lines = fields.flatMap(({ name, label, isSecret }, index) => {
    const isFocused = index === focus;
    const value = values[name] ?? '';
    const shown = isSecret ? symbols.mask.repeat([...value].length) : value.replace(/\n/g, symbols.enter);
    const space = width - labels - 5;
    const text = isFocused ? caretText(shown, caret, space, symbols) : cut(shown, space, symbols.ellipsis);
    const sign = isFocused ? '>' : ' ';
    const head = `${sign} ${pad(cut(label, labels, symbols.ellipsis), labels)}  `;
    const line = <Line key={name} text={(isFocused ? tone(head, 'bold') : tone(head, 'dim')) + text} />;
    const fault = faults[name];
    return [
      { index, node: line },
      ...(fault ? [{ index, node: <Fault key={`${name}!`} text={fault} indent={labels + 4} /> }] : []),
    ];
  });
  const space = height - frameLines - room;
  const at = lines.findIndex(({ index }) => index === focus);
  const first = Math.max(0, Math.min(at - Math.floor(space / 2), lines.length - space));
  return <>{lines.slice(first, first + space).map(({ node }) => node)}</>;
}

function Fault({ text, indent }: { text: string; indent: number }) {
  const { width } = useBodySize();
  const { symbols } = useEnvironment();
  const tone = useTone();
  const line = cut(`${' '.repeat(indent)}${symbols.bad} ${text.replace(/\s+/g, ' ')}`, width, symbols.ellipsis);
  return <Line text={tone(line, 'red')} />;
}
