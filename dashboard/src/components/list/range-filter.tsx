import { Input, makeStyles, Select, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readTimeText, timeText } from '../../state/format.ts';
import { type RangeChoice, type RangeFilters, rangeChoice, rangeChoices, timeRange } from './time-range.ts';

interface RangeFilterProps {
  list: { filters: RangeFilters; setFilters(changed: Partial<RangeFilters>): void };
  choices?: readonly RangeChoice[];
}

const useStyles = makeStyles({
  filter: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  select: { minWidth: '150px' },
  // As wide as the longest way to write a time, with AM or PM in full.
  time: { width: '270px', maxWidth: '100%' },
});

/** The time the rows are narrowed to: a usual range, or one of one's own. */
export function RangeFilter({ list, choices = rangeChoices }: RangeFilterProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { filters, setFilters } = list;
  const choice = rangeChoice(filters);
  const { start, end } = timeRange(filters);

  function choose(next: string): void {
    // One's own begins with the range that was seen.
    if (next === 'custom') setFilters({ start: String(start || end - 86_400), end: String(end) });
    else setFilters({ range: next, start: '', end: '' });
  }

  return (
    <div className={styles.filter}>
      <Select
        className={styles.select}
        aria-label={t('range.label')}
        value={choice}
        onChange={(_event, { value }) => choose(value)}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {t(`range.${one}`)}
          </option>
        ))}
      </Select>
      {choice === 'custom' && (
        <>
          <TimeInput
            label={t('range.start')}
            seconds={start}
            onChange={(seconds) => setFilters({ start: String(seconds) })}
          />
          <TimeInput
            label={t('range.end')}
            seconds={end}
            onChange={(seconds) => setFilters({ end: String(seconds) })}
          />
        </>
      )}
    </div>
  );
}

interface TimeInputProps {
  label: string;
  seconds: number;
  onChange: (seconds: number) => void;
}

/** In force once the field is left or Enter is pressed: half a date finds nothing. */
function TimeInput({ label, seconds, onChange }: TimeInputProps) {
  const styles = useStyles();
  const inForce = seconds > 0 ? timeText(seconds).replace(' ', 'T') : '';
  const [typed, setTyped] = useState(inForce);
  useEffect(() => setTyped(inForce), [inForce]);

  function commit(): void {
    const read = readTimeText(`${typed.replace('T', ' ')}${typed.length === 16 ? ':00' : ''}`);
    if (read === undefined) setTyped(inForce);
    else if (read !== seconds) onChange(read);
  }

  return (
    <Input
      type="datetime-local"
      step={1}
      className={styles.time}
      aria-label={label}
      value={typed}
      onChange={(_event, { value }) => setTyped(value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
