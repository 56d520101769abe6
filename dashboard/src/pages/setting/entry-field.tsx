import {
  Button,
  Field,
  Input,
  MessageBar,
  MessageBarBody,
  makeStyles,
  mergeClasses,
  Text,
  tokens,
} from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useTypedEntry } from '../../components/form/typed-entry.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useIsMobile } from '../../state/media.ts';
import { objectPath } from '../../state/object-path.ts';
import { CellInput } from './cell-input.tsx';
import { CellSelect } from './cell-select.tsx';
import { type Entry, type EntryShape, readEntries, writeEntries } from './json-entries.ts';

interface EntryFieldProps {
  name: string;
  label: string;
  hint?: string;
  /** What an entry is named after: a model, a group. */
  keyLabel: string;
  /** Names lead to what is set elsewhere for a group. */
  isOfGroups?: boolean;
  shape: EntryShape;
  columnLabels: string[];
  /** Of a new entry. */
  start: Record<string, unknown>;
  suggestions?: readonly string[];
}

const useStyles = makeStyles({
  field: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  row: {
    display: 'grid',
    alignItems: 'start',
    gap: tokens.spacingHorizontalS,
    '@media (max-width: 600px)': { paddingBottom: tokens.spacingVerticalS },
  },
  name: { minWidth: 0, overflowWrap: 'anywhere', alignSelf: 'center' },
  wholeRow: { gridColumn: '1 / -1' },
  cell: { minWidth: 0 },
  head: { color: tokens.colorNeutralForeground3 },
  hint: { color: tokens.colorNeutralForeground3 },
  add: { display: 'flex', gap: tokens.spacingHorizontalS, alignItems: 'start', flexWrap: 'wrap' },
  addInput: { width: '240px', maxWidth: '100%' },
});

/** A JSON object as rows: change a value, add a name, take one away. The text of the field stays the truth. */
export function EntryField(props: EntryFieldProps) {
  const { name, label, hint, keyLabel, isOfGroups = false, shape, columnLabels, start, suggestions } = props;
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { field, fieldState } = useController({ name });
  const entries = readEntries(String(field.value), shape);
  const write = (next: Entry[]) => field.onChange(writeEntries(next, shape));
  // On a phone several values are below their name.
  const isStacked = useIsMobile() && shape.columns.length > 1;
  const widths = shape.columns.map(() => 'minmax(72px, 1fr)').join(' ');
  const columns = { gridTemplateColumns: isStacked ? '1fr 1fr' : `minmax(90px, 1.4fr) ${widths} 32px` };

  if (!entries) {
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{t('entry.broken', { label })}</MessageBarBody>
      </MessageBar>
    );
  }
  const setValue = (index: number, column: string, value: number | string) =>
    write(entries.map(([key, fields], at) => (at === index ? [key, { ...fields, [column]: value }] : [key, fields])));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
    <div className={styles.field} role="group" aria-label={label}>
      <Text weight="semibold">{label}</Text>
      {hint && (
        <Text size={200} className={styles.hint}>
          {hint}
        </Text>
      )}
      {entries.length > 0 && !isStacked && (
        <div className={styles.row} style={columns} aria-hidden>
          {[keyLabel, ...columnLabels, ''].map((title) => (
            <Text key={title} size={200} className={styles.head}>
              {title}
            </Text>
          ))}
        </div>
      )}
      {entries.length === 0 && <Text size={200}>{t('entry.none')}</Text>}
      {entries.map(([key, fields], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice in a list, and rows do not move
        <div key={`${index} ${key}`} className={styles.row} style={columns}>
          <Text className={mergeClasses(styles.name, isStacked && styles.wholeRow)}>
            {isOfGroups ? <TextLink to={objectPath.group(key)}>{key}</TextLink> : key}
          </Text>
          {shape.columns.map(({ key: column, isText, choices }, at) => (
            <div key={column} className={styles.cell}>
              {isStacked && (
                <Text size={200} className={styles.head}>
                  {columnLabels[at]}
                </Text>
              )}
              {choices ? (
                <CellSelect
                  label={`${key} ${columnLabels[at] ?? ''}`}
                  value={fields[column]}
                  choices={choices}
                  onChange={(value) => setValue(index, column, value)}
                />
              ) : (
                <CellInput
                  label={`${key} ${columnLabels[at] ?? ''}`}
                  value={fields[column]}
                  isText={isText}
                  onChange={(value) => setValue(index, column, value)}
                />
              )}
            </div>
          ))}
          <Button
            appearance="subtle"
            size="small"
            icon={<Delete20Regular />}
            aria-label={t('entry.remove', { name: key })}
            onClick={() => write(entries.filter((_entry, at) => at !== index))}
          />
        </div>
      ))}
      {fieldState.error?.message && (
        <Field validationState="error" validationMessage={fieldState.error.message}>
          <span />
        </Field>
      )}
      <AddEntry
        {...{ label, keyLabel, suggestions }}
        taken={shape.kind === 'list' ? [] : entries.map(([key]) => key)}
        onAdd={(key) => write([...entries, [key, start]])}
      />
    </div>
  );
}

interface AddEntryProps {
  label: string;
  keyLabel: string;
  suggestions?: readonly string[];
  taken: string[];
  onAdd: (key: string) => void;
}

function AddEntry({ label, keyLabel, suggestions = [], taken, onAdd }: AddEntryProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const key = typed.trim();
  const isTaken = taken.includes(key);

  function add(): boolean {
    if (key !== '' && !isTaken) {
      onAdd(key);
      setTyped('');
    }
    return !isTaken;
  }
  const box = useTypedEntry({ add, hasText: key !== '' });
  return (
    <div className={styles.add}>
      <Field
        className={styles.addInput}
        validationState={isTaken ? 'error' : 'none'}
        validationMessage={isTaken ? t('entry.taken', { name: key }) : undefined}
      >
        <Input
          {...box}
          size="small"
          aria-label={t('entry.new', { label })}
          placeholder={keyLabel}
          value={typed}
          input={{ list: suggestions.length > 0 ? listId : undefined }}
          onChange={(_event, { value }) => setTyped(value)}
        />
      </Field>
      <datalist id={listId}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Button size="small" icon={<Add20Regular />} onClick={add} aria-label={t('entry.addTo', { label })}>
        {t('entry.add')}
      </Button>
    </div>
  );
}
