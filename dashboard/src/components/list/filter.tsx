import { makeStyles, Select, Switch, tokens } from '@fluentui/react-components';
import type { Choice } from '../form/field.tsx';
import type { Filtered } from './filtered.ts';

const useStyles = makeStyles({
  select: { minWidth: '140px' },
  // Fluent's own margins, which would set a switch that begins a line apart from the fields above it, and make its line higher than theirs.
  switch: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})`, marginTop: '-2px', marginBottom: '-2px' },
});

interface SelectFilterProps {
  list: Filtered;
  name: string;
  label: string;
  /** The first one stands for all. */
  choices: Choice[];
}

/**
 * One of a few values the rows are narrowed to.
 * @public
 */
export function SelectFilter({ list, name, label, choices }: SelectFilterProps) {
  const styles = useStyles();
  return (
    <Select
      className={styles.select}
      aria-label={label}
      value={list.filters[name]}
      onChange={(_event, { value }) => list.setFilters({ [name]: value })}
    >
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}

/** A way to look at the rows that is on or off. */
export function SwitchFilter({ list, name, label }: { list: Filtered; name: string; label: string }) {
  const styles = useStyles();
  return (
    <Switch
      className={styles.switch}
      label={label}
      checked={list.filters[name] === 'true'}
      onChange={(_event, { checked }) => list.setFilters({ [name]: checked ? 'true' : '' })}
    />
  );
}
