import { MessageBar, MessageBarBody, makeStyles, tokens } from '@fluentui/react-components';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { PasswordField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { fixedModelTypes, openaiType, vertexType } from './channel-form.ts';
import { TypeField } from './type-field.tsx';

const useStyles = makeStyles({
  pair: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 600px)': { gridTemplateColumns: '1fr' },
  },
});

interface DestinationFieldsProps {
  isNew: boolean;
  modelLists: Record<string, string[]>;
}

/** Which upstream, where it is, and with which key. What is asked depends on the type. */
export function DestinationFields({ isNew, modelLists }: DestinationFieldsProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const { setValue, getValues } = useFormContext();
  const type: number = useWatch({ name: 'type' });
  const known = channelTypeOf(type);
  const about = t(`hint.type.${type}`, { defaultValue: '' });

  function takeModels(picked: number): void {
    const isFree = getValues('models').length === 0;
    if (isNew && isFree && fixedModelTypes.includes(picked))
      setValue('models', modelLists[picked] ?? [], { shouldDirty: true });
  }

  return (
    <>
      <div className={styles.pair}>
        <TypeField modelLists={modelLists} onPick={takeModels} />
        <TextField name="name" label={t('field.name')} placeholder={t('form.namePlaceholder')} isRequired />
      </div>
      {about && (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{about}</MessageBarBody>
        </MessageBar>
      )}
      <TextField
        name="base_url"
        label={t([`label.baseUrl.${type}`, 'field.baseUrl'])}
        hint={t([`hint.baseUrl.${type}`, 'hint.baseUrl.usual'])}
        placeholder={known?.defaultBaseUrl ?? ''}
        isRequired={known?.needsBaseUrl ?? false}
      />
      {known?.otherField && (
        <TextField
          name="other"
          label={t([`label.other.${type}`, 'field.other'])}
          hint={t(`hint.other.${type}`, { defaultValue: '' })}
          placeholder={t(`example.other.${type}`, { defaultValue: '' })}
          isRequired={type === vertexType}
        />
      )}
      {type === openaiType && (
        <TextField name="openai_organization" label={t('field.organization')} hint={t('hint.organization')} />
      )}
      <KeyFields isNew={isNew} type={type} />
    </>
  );
}

/** Write only: what is stored never comes back here. */
function KeyFields({ isNew, type }: { isNew: boolean; type: number }) {
  const { t } = useTranslation('channel');
  const isBatch: boolean = useWatch({ name: 'isBatch' });
  const isLong = isBatch || type === vertexType;
  const format = t(`hint.key.${type}`, { defaultValue: '' });
  const props = {
    name: 'key',
    label: t(isBatch ? 'form.keys' : 'field.key'),
    hint: [isBatch ? t('form.keysHint') : '', isNew ? '' : t('form.keyKept'), format].filter(Boolean).join(' '),
    placeholder: isNew ? t(`example.key.${type}`, { defaultValue: '' }) : t('form.keyStored'),
    isRequired: isNew,
  };
  return (
    <>
      {isNew && type !== vertexType && <SwitchField name="isBatch" label={t('form.batch')} />}
      {isLong ? <TextAreaField {...props} rows={6} /> : <PasswordField {...props} autoComplete="new-password" />}
    </>
  );
}
