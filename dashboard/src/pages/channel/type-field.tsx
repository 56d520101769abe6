import { Field, makeStyles, tokens } from '@fluentui/react-components';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ChannelType } from '../../../../core/schemas/channel-type-description.ts';
import { findChannelTypes, orderedChannelTypes } from '../../../../core/schemas/channel-type-order.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useLanguage, useTypeName } from './channel-type.ts';
import { ProviderLetter } from './provider-letter.tsx';

const useStyles = makeStyles({
  line: { display: 'flex', alignItems: 'flex-end', gap: tokens.spacingHorizontalS },
  field: { flex: '1 1 0', minWidth: 0 },
});

interface TypeFieldProps {
  modelLists: Record<string, string[]>;
  /** False while none has been picked. */
  isPicked: boolean;
  onPick: (type: number) => void;
}

/** The kind of upstream, which `onPick` sets: type its name, its number or a model to narrow the list down. */
export function TypeField({ modelLists, isPicked, onPick }: TypeFieldProps) {
  const { t } = useTranslation('channel');
  const typeName = useTypeName();
  const language = useLanguage();
  const styles = useStyles();
  const { field } = useController({ name: 'type' });
  const choiceOf = ({ number }: ChannelType) => ({ value: String(number), text: typeName(number) });
  return (
    <div className={styles.line}>
      {isPicked && <ProviderLetter type={field.value} />}
      <Field className={styles.field} label={t('field.type')} required>
        <SearchCombobox
          ref={field.ref}
          placeholder={t('form.typePlaceholder')}
          choices={orderedChannelTypes(language).map(choiceOf)}
          chosen={isPicked ? [String(field.value)] : []}
          text={isPicked ? typeName(field.value) : ''}
          find={(typed) => findChannelTypes(typed, language, modelLists).map(choiceOf)}
          onChoose={([picked]) => {
            if (picked === undefined) return;
            onPick(Number(picked));
          }}
          onBlur={field.onBlur}
        />
      </Field>
    </div>
  );
}
