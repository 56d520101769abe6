import { Input, makeStyles } from '@fluentui/react-components';
import { useState } from 'react';
import { useNotify } from '../../components/feedback/notify.tsx';

interface NumberCellProps {
  /** Undefined where the channels of a tag differ. */
  value: number | undefined;
  label: string;
  placeholder?: string;
  /** Throws what is wrong with a text; undefined leaves everything as it is. */
  read: (text: string) => number | undefined;
  /** `before` is what stood here when typing began. */
  onSave: (value: number, before: number | undefined) => Promise<void>;
}

interface Typed {
  text: string;
  before: number | undefined;
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
  // Rows that come meanwhile change nothing under the fingers.
  const [typed, setTyped] = useState<Typed>();
  const text = typed?.text ?? stored;

  async function save({ before }: Typed): Promise<void> {
    setTyped(undefined); // the list tells when it is so
    try {
      const wanted = read(text);
      if (wanted !== undefined && wanted !== before) await onSave(wanted, before);
    } catch (error) {
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
      onChange={(_event, data) => setTyped({ text: data.value, before: typed ? typed.before : value })}
      onBlur={() => typed && void save(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(undefined);
      }}
    />
  );
}
