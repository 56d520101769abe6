import { Field } from '@fluentui/react-components';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelTypes } from '../../../../core/schemas/channel-type.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useTypeName } from './channel-type.ts';
import { findTypes } from './find-types.ts';

interface TypeFieldProps {
  modelLists: Record<string, string[]>;
  onPick: (type: number) => void;
}

/** The kind of upstream: type its name, its number or a model to narrow the list down. */
export function TypeField({ modelLists, onPick }: TypeFieldProps) {
  const { t } = useTranslation('channel');
  const typeName = useTypeName();
  const { field } = useController({ name: 'type' });
  const choiceOf = (type: number) => ({ value: String(type), text: typeName(type) });
  return (
    <Field label={t('field.type')} required>
      <SearchCombobox
        ref={field.ref}
        placeholder={t('form.typePlaceholder')}
        choices={channelTypes.map(({ number }) => choiceOf(number))}
        chosen={[String(field.value)]}
        text={typeName(field.value)}
        find={(typed) => findTypes(typed, typeName, modelLists).map(choiceOf)}
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
