import { frameLines } from '../components/screen-frame.tsx';
import { caretText } from '../components/text-input.tsx';
import { useEnvironment, useTone } from '../environment.ts';
import { cut, pad, widthOf, wrap } from '../fit.ts';
import type { FormField, FormValues } from '../form-field.ts';
import { useBodySize } from './use-size.ts';

interface FormState {
  fields: FormField[];
  values: FormValues;
  /** By the names of the fields; under any other name, of the form as a whole. */
  faults: Record<string, string>;
  focus: number;
  caret: number;
  /** What to write into the focused field. */
  hint: string;
}

const widestLabel = 24;

/** The fields around the focused one that fit on the screen, each with its fault; and what the status line says. */
export function useFormLines({ fields, values, faults, focus, caret, hint }: FormState) {
  const { width, height } = useBodySize();
  const { symbols } = useEnvironment();
  const tone = useTone();
  const space = height - frameLines;
  const labels = Math.min(widestLabel, Math.max(...fields.map(({ label }) => widthOf(label))));

  /** In whole: its end says what to write. */
  function faultLines(fault: string | undefined, indent: number): string[] {
    if (!fault) return [];
    const room = width - indent - widthOf(symbols.bad) - 1;
    const parts = wrap(fault.replace(/\s+/g, ' '), room);
    // No fault may push its field off the screen.
    const max = Math.max(1, Math.floor(space / 2) - 1);
    const shown = parts.slice(0, max);
    if (parts.length > max) shown[max - 1] = cut(parts.slice(max - 1).join(' '), room, symbols.ellipsis);
    return shown.map((part, index) => {
      const sign = index === 0 ? symbols.bad : ' '.repeat(widthOf(symbols.bad));
      return tone(`${' '.repeat(indent)}${sign} ${part}`, 'red');
    });
  }

  function fieldLine({ name, label, isSecret }: FormField, isFocused: boolean): string {
    const value = values[name] ?? '';
    const written = isSecret ? symbols.mask.repeat([...value].length) : value.replace(/\n/g, symbols.enter);
    const room = width - labels - 5;
    const text = isFocused ? caretText(written, caret, room, symbols) : cut(written, room, symbols.ellipsis);
    const head = `${isFocused ? '>' : ' '} ${pad(cut(label, labels, symbols.ellipsis), labels)}  `;
    return (isFocused ? tone(head, 'bold') : tone(head, 'dim')) + text;
  }

  const lines = fields.flatMap((field, index) => [
    { index, text: fieldLine(field, index === focus) },
    ...faultLines(faults[field.name], labels + 4).map((text) => ({ index, text })),
  ]);
  const general = Object.entries(faults).find(([key]) => !fields.some(({ name }) => name === key))?.[1];
  const below = faultLines(general, 1);
  const long = widthOf(hint) + 1 > width ? ['', ...wrap(hint, width - 2).map((part) => tone(` ${part}`, 'dim'))] : [];
  const isBelow = long.length > 0 && lines.length + below.length + long.length <= space;
  const foot = isBelow ? [...below, ...long] : below;

  const room = space - foot.length;
  const at = lines.findIndex(({ index }) => index === focus);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
  const shown = lines.slice(first, first + room).map(({ text }) => text);
  return { lines: [...shown, ...foot], status: hint && !isBelow ? ` ${hint}` : '' };
}
