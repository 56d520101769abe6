import { MessageBar, MessageBarBody, makeStyles, tokens } from '@fluentui/react-components';
import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelKeyModes } from '../../../../core/schemas/channel-key.ts';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import { PasswordField, SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { type KeyUse, keyUses } from './channel-form.ts';
import { useLanguage } from './channel-type.ts';
import { OtherField } from './other-field.tsx';

const useStyles = makeStyles({
  group: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
});

interface DestinationFieldsProps {
  isNew: boolean;
  /** All of it has been filled in, or left. */
  onLeave: () => void;
}

/** With which key an upstream is called, and where it is. What is asked depends on the type. */
export function DestinationFields({ isNew, onLeave }: DestinationFieldsProps) {
  const { t } = useTranslation('channel');
  const type: number = useWatch({ name: 'type' });
  const language = useLanguage();
  const known = channelTypeOf(type);
  const { about, baseUrl } = known ?? {};
  return (
    <>
      {about && (
        <MessageBar intent={known?.isRetired ? 'warning' : 'info'} layout="multiline">
          <MessageBarBody>{wordsIn(language, about)}</MessageBarBody>
        </MessageBar>
      )}
      <LeftTogether onLeave={onLeave}>
        <KeyFields isNew={isNew} type={type} />
        <OtherField type={type} />
        <TextField
          name="base_url"
          label={wordsIn(language, baseUrl?.label ?? t('field.baseUrl'))}
          hint={wordsIn(language, baseUrl?.hint ?? t('hint.baseUrl'))}
          placeholder={known?.defaultBaseUrl ?? ''}
          isRequired={known?.needsBaseUrl ?? false}
        />
      </LeftTogether>
    </>
  );
}

/** Fields that mean something only together: a key goes nowhere while its address may still be typed. */
function LeftTogether({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  const styles = useStyles();
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears of its fields
    <div className={styles.group} onBlur={leave}>
      {children}
    </div>
  );
}

/** Write only: what is stored never comes back here. */
function KeyFields({ isNew, type }: { isNew: boolean; type: number }) {
  const { t } = useTranslation('channel');
  const { setFocus } = useFormContext();
  const isBatch: boolean = useWatch({ name: 'isBatch' });
  const keyUse: KeyUse = useWatch({ name: 'keyUse' });
  const language = useLanguage();
  const { isKeyDocument = false, keyFormat = '', keyExample = keyFormat, keyHint } = channelTypeOf(type) ?? {};
  const isLong = isBatch || isKeyDocument;
  const keysHint = isKeyDocument ? t('keyTab.addDocuments') : keyUse === 'each' ? t('form.keysHint') : '';
  const form = keyFormat && !isKeyDocument ? t('form.keyForm', { form: keyFormat }) : '';
  const props = {
    name: 'key',
    label: t(isBatch ? 'form.keys' : 'field.key'),
    hint: [
      isBatch ? keysHint : '',
      isNew ? '' : t(isBatch ? 'form.keysKept' : 'form.keyKept'),
      form,
      wordsIn(language, keyHint ?? ''),
    ]
      .filter(Boolean)
      .join(' '),
    placeholder: isNew ? keyExample : t('form.keyStored'),
    isRequired: isNew,
  };
  // Once a provider is picked, its key is the next thing wanted.
  const isFirst = useRef(isNew);
  useEffect(() => {
    if (isFirst.current) setFocus('key');
    isFirst.current = false;
  }, [setFocus]);
  return (
    <>
      {isLong ? <TextAreaField {...props} rows={6} /> : <PasswordField {...props} autoComplete="new-password" />}
      {isNew && !isKeyDocument && <SwitchField name="isBatch" label={t('form.batch')} />}
      {isBatch && !(isNew && isKeyDocument) && <KeyUseField isNew={isNew} />}
    </>
  );
}

/** A channel of each key, or one channel with all of them; a channel that has several keeps them. */
function KeyUseField({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('channel');
  const { setValue } = useFormContext();
  const keyUse: KeyUse = useWatch({ name: 'keyUse' });
  const uses = isNew ? keyUses : channelKeyModes;
  const isOffered = uses.some((use) => use === keyUse);
  useEffect(() => {
    if (!isOffered) setValue('keyUse', 'random');
  }, [isOffered, setValue]);
  return (
    <SelectField
      name="keyUse"
      label={t('form.keyUse')}
      choices={uses.map((value) => ({ value, text: t(`keyUse.${value}`) }))}
    />
  );
}
