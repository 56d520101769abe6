import { MessageBar, MessageBarBody, makeStyles, tokens } from '@fluentui/react-components';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import { PasswordField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { useLanguage } from './channel-type.ts';
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
  const language = useLanguage();
  const known = channelTypeOf(type);
  const { about, other, baseUrl, hasOrganization } = known ?? {};

  function takeModels(picked: number): void {
    const isFree = getValues('models').length === 0;
    if (isNew && isFree && channelTypeOf(picked)?.hasFixedModels)
      setValue('models', modelLists[picked] ?? [], { shouldDirty: true });
  }

  return (
    <>
      <div className={styles.pair}>
        <TypeField modelLists={modelLists} onPick={takeModels} />
        <TextField name="name" label={t('field.name')} placeholder={t('form.namePlaceholder')} isRequired />
      </div>
      {about && (
        <MessageBar intent={known?.isRetired ? 'warning' : 'info'} layout="multiline">
          <MessageBarBody>{wordsIn(language, about)}</MessageBarBody>
        </MessageBar>
      )}
      <TextField
        name="base_url"
        label={wordsIn(language, baseUrl?.label ?? t('field.baseUrl'))}
        hint={wordsIn(language, baseUrl?.hint ?? t('hint.baseUrl'))}
        placeholder={known?.defaultBaseUrl ?? ''}
        isRequired={known?.needsBaseUrl ?? false}
      />
      {other && (
        <TextField
          name="other"
          label={wordsIn(language, other.label)}
          hint={wordsIn(language, other.hint ?? '')}
          placeholder={other.example ?? ''}
          isRequired={other.isNeeded ?? false}
        />
      )}
      {hasOrganization && (
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
  const language = useLanguage();
  const { isKeyDocument = false, keyFormat = '', keyExample = keyFormat, keyHint } = channelTypeOf(type) ?? {};
  const isLong = isBatch || isKeyDocument;
  const form = keyFormat && !isKeyDocument ? t('form.keyForm', { form: keyFormat }) : '';
  const props = {
    name: 'key',
    label: t(isBatch ? 'form.keys' : 'field.key'),
    hint: [isBatch ? t('form.keysHint') : '', isNew ? '' : t('form.keyKept'), form, wordsIn(language, keyHint ?? '')]
      .filter(Boolean)
      .join(' '),
    placeholder: isNew ? keyExample : t('form.keyStored'),
    isRequired: isNew,
  };
  return (
    <>
      {isNew && !isKeyDocument && <SwitchField name="isBatch" label={t('form.batch')} />}
      {isLong ? <TextAreaField {...props} rows={6} /> : <PasswordField {...props} autoComplete="new-password" />}
    </>
  );
}
