import { useTranslation } from 'react-i18next';
import { useGroupNames } from '../../api/group.ts';
import { PickField } from '../../components/form/pick-field.tsx';

/** Whose calls a channel serves. */
export function GroupField({ name, isRequired = false }: { name: string; isRequired?: boolean }) {
  const { t } = useTranslation('channel');
  const groups = useGroupNames().data ?? [];
  return (
    <PickField
      name={name}
      label={t('field.groups')}
      hint={t('form.groupsHint')}
      placeholder={t('form.pickPlaceholder')}
      choices={groups}
      isRequired={isRequired}
    />
  );
}
