import { useEnvironment } from '../environment.ts';
import { cut, tail, widthOf } from '../fit.ts';
import { useBodySize } from '../hooks/use-size.ts';
import { useTextEdit } from '../hooks/use-text-edit.ts';
import { Line } from './line.tsx';

interface TextInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
  onEnter(): void;
  onEscape(): void;
}

/**
 * One line to write in; Enter takes it, Esc gives it up. Not TextInput of @inkjs/ui (2.0): it also writes the letters of Ctrl keys,
 * has no Home, End or Ctrl-U, does not scroll within a width, and takes an emoji apart.
 */
export function TextInput({ label, value, onChange, onEnter, onEscape }: TextInputProps) {
  const { symbols } = useEnvironment();
  const { width } = useBodySize();
  const caret = useTextEdit({
    value,
    onChange,
    onKey({ name }) {
      if (name === 'enter') onEnter();
      else if (name === 'escape' || name === 'ctrl-c') onEscape();
      // Nothing below hears what is typed here.
      return true;
    },
  });
  return <Line text={label + caretText(value, caret, width - widthOf(label), symbols)} />;
}

/** The part of a text around its caret that fits. */
export function caretText(
  value: string,
  caret: number,
  width: number,
  symbols: { caret: string; ellipsis: string },
): string {
  const characters = [...value.replace(/\s/g, ' ')];
  const sign = symbols.caret;
  const behind = cut(characters.slice(caret).join(''), Math.floor(width / 3), symbols.ellipsis);
  const before = tail(characters.slice(0, caret).join(''), width - widthOf(behind) - widthOf(sign));
  return before + sign + behind;
}
