import { Field, Input, makeStyles } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readNumber } from './json-entries.ts';

/** As narrow as its column. */
const useStyles = makeStyles({ input: { width: '100%', minWidth: 0 } });

interface CellInputProps {
  /** For those who do not see the row and the column. */
  label: string;
  value: unknown;
  isText?: boolean;
  /** Nothing is a value, too. */
  isOptional?: boolean;
  isDisabled?: boolean;
  /** Before the value: its unit. */
  prefix?: string;
  hint?: string | undefined;
  onChange: (value: number | string) => void;
}

/** One value in a table. Says below it when it is not a number. */
export function CellInput({ label, value, isText, isOptional, isDisabled, prefix, hint, onChange }: CellInputProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  // While it is typed, `1.` is not yet `1`.
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? (value === undefined ? '' : String(value));
  const isWrong = !isText && !isDisabled && typeof value !== 'number' && !(isOptional && value === undefined);
  return (
    <Field
      validationState={isWrong ? 'error' : 'none'}
      validationMessage={isWrong ? t('fault.number') : undefined}
      hint={isWrong ? undefined : hint}
    >
      <Input
        size="small"
        className={styles.input}
        contentBefore={prefix}
        input={{ className: styles.input }}
        aria-label={label}
        value={shown}
        disabled={isDisabled}
        inputMode={isText ? undefined : 'decimal'}
        onChange={(_event, { value: text }) => {
          setTyped(text);
          onChange(isText ? text : readNumber(text));
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  );
}
