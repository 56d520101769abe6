import { Field } from '@fluentui/react-components';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ChannelType } from '../../../../core/schemas/channel-type-description.ts';
import { findChannelTypes, orderedChannelTypes } from '../../../../core/schemas/channel-type-order.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useLanguage, useTypeName } from './channel-type.ts';

interface TypeFieldProps {
  modelLists: Record<string, string[]>;
  onPick: (type: number) => void;
}

/** The kind of upstream: type its name, its number or a model to narrow the list down. */
export function TypeField({ modelLists, onPick }: TypeFieldProps) {
  const { t } = useTranslation('channel');
  const typeName = useTypeName();
  const language = useLanguage();
  const { field } = useController({ name: 'type' });
  const choiceOf = ({ number }: ChannelType) => ({ value: String(number), text: typeName(number) });
  return (
    <Field label={t('field.type')} required>
      <SearchCombobox
        ref={field.ref}
        placeholder={t('form.typePlaceholder')}
        choices={orderedChannelTypes(language).map(choiceOf)}
        chosen={[String(field.value)]}
        text={typeName(field.value)}
        find={(typed) => findChannelTypes(typed, language, modelLists).map(choiceOf)}
        onChoose={([picked]) => {
          if (picked === undefined) return;
          field.onChange(Number(picked));
          onPick(Number(picked));
        }}
        onBlur={field.onBlur}
      />
    </Field>
  );
}
