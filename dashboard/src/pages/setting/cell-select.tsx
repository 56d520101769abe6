import { makeStyles, Select } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';

/** As narrow as its column. */
const useStyles = makeStyles({ select: { width: '100%', minWidth: 0 } });

interface CellSelectProps {
  /** For those who do not see the row and the column. */
  label: string;
  value: unknown;
  choices: readonly string[];
  onChange: (value: string) => void;
}

/** One of a few words in a table. An unknown word is shown as it is, and refused when it is saved. */
export function CellSelect({ label, value, choices, onChange }: CellSelectProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const word = String(value ?? '');
  const isKnown = choices.includes(word);
  return (
    <Select
      size="small"
      className={styles.select}
      aria-label={label}
      value={word}
      onChange={(_event, data) => onChange(data.value)}
    >
      {!isKnown && <option value={word}>{word}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {t(`entry.choice.${choice}`)}
        </option>
      ))}
    </Select>
  );
}
