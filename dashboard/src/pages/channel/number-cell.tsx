import { Input, makeStyles } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useNotify } from '../../components/feedback/notify.tsx';

interface NumberCellProps {
  /** Undefined where the channels of a tag differ. */
  value: number | undefined;
  label: string;
  placeholder?: string;
  /** Throws what is wrong with a text; undefined leaves everything as it is. */
  read: (text: string) => number | undefined;
  onSave: (value: number) => Promise<void>;
}

const useStyles = makeStyles({
  input: { width: '64px', minWidth: 0 },
  text: { textAlign: 'end', fontVariantNumeric: 'tabular-nums', width: '100%', minWidth: 0 },
});

/** A figure that is changed where it stands: with Enter or by leaving it. Escape takes it back. */
export function NumberCell({ value, label, placeholder, read, onSave }: NumberCellProps) {
  const styles = useStyles();
  const notify = useNotify();
  const stored = value === undefined ? '' : String(value);
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);

  async function save(): Promise<void> {
    try {
      const wanted = read(text);
      setText(stored); // the list tells when it is so
      if (wanted !== undefined && wanted !== value) await onSave(wanted);
    } catch (error) {
      setText(stored);
      notify.error(error);
    }
  }

  return (
    <Input
      size="small"
      appearance="filled-darker"
      inputMode="numeric"
      aria-label={label}
      className={styles.input}
      input={{ className: styles.text }}
      {...(placeholder && { placeholder })}
      value={text}
      onClick={(event) => event.stopPropagation()} // does not mark the row
      onChange={(_event, { value: typed }) => setText(typed)}
      onBlur={() => text.trim() !== stored && void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(stored);
      }}
    />
  );
}
