import { Combobox, type ComboboxProps, makeStyles, Option } from '@fluentui/react-components';
import { type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from './field.tsx';
import { useListBox } from './use-list-box.ts';

interface SearchComboboxProps extends Pick<ComboboxProps, 'placeholder' | 'disabled' | 'multiselect' | 'onBlur'> {
  ref?: Ref<HTMLInputElement>;
  choices: Choice[];
  chosen: string[];
  /** In the field while nothing is being typed. */
  text?: string;
  /** The choices for what was typed, best first; left out: those whose text contains it. */
  find?: (typed: string) => Choice[];
  /** For choices that are looked up while something is typed. */
  onTyping?: (typed: string) => void;
  onChoose: (chosen: string[]) => void;
}

/** More would make the list slow, and users do not read that far. */
const maxShown = 100;

const useStyles = makeStyles({ field: { minWidth: 0, width: '100%' } });

/** One or several of many choices: type to narrow the list down. Stands in a Field. */
export function SearchCombobox(props: SearchComboboxProps) {
  const { choices, chosen, text = '', find, onTyping, onChoose, onBlur, ...field } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const list = useListBox();
  const [typed, setTyped] = useState<string>();
  const wanted = (typed ?? '').trim();
  const has = ({ text: name }: Choice) => name.toLowerCase().includes(wanted.toLowerCase());
  const hits = wanted && find ? find(wanted) : choices.filter(has);
  const stopTyping = () => setTyped(undefined);
  return (
    <Combobox
      {...field}
      {...list}
      className={styles.field}
      input={{ style: { minWidth: 0 } }}
      expandIcon={{ 'aria-label': t('action.openList') }}
      selectedOptions={chosen}
      value={typed ?? text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setTyped(event.target.value);
        onTyping?.(event.target.value);
      }}
      onOpenChange={(event, data) => {
        list.onOpenChange(event, data);
        if (!data.open) stopTyping();
      }}
      onOptionSelect={(_event, { optionValue, selectedOptions }) => {
        // Fluent clears the selection when no option begins with what was typed: that is not a choice.
        if (optionValue === undefined) return;
        onChoose(selectedOptions);
        stopTyping();
      }}
      onBlur={(event) => {
        stopTyping();
        onBlur?.(event);
      }}
    >
      {hits.slice(0, maxShown).map((choice) => (
        <Option key={choice.value} value={choice.value} text={choice.text}>
          {choice.text}
        </Option>
      ))}
      {hits.length === 0 && (
        <Option disabled value="" text={t('state.noHit')}>
          {t('state.noHit')}
        </Option>
      )}
    </Combobox>
  );
}
