import {
  Button,
  Link,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { lineText } from '../../../../core/schemas/channel-field.ts';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import { PasswordField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { Form } from '../../components/form/form.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useLanguage, useTypeName } from '../channel/channel-type.ts';
import { OtherField } from '../channel/other-field.tsx';
import { ProviderGallery } from '../channel/provider-gallery.tsx';
import { ModelChoice } from './model-choice.tsx';
import { useFirstChannel } from './use-first-channel.ts';

const useStyles = makeStyles({
  step: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: '720px' },
  chosen: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: tokens.spacingHorizontalM },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

/** Where the requests go: the vendor, then its key. */
export function ProviderStep({ hasToken }: { hasToken: boolean }) {
  const { t } = useTranslation('setup');
  const [type, setType] = useState<number>();
  if (type === undefined) return <ProviderGallery label={t('provider.title')} onPick={setType} />;
  return <ProviderForm type={type} hasToken={hasToken} onBack={() => setType(undefined)} />;
}

/** Ollama on the own machine takes any key, and a channel needs one. */
const ollama = 4;

const schemaOf = (type: number) =>
  z
    .object({ base_url: lineText(2048), other: z.string().trim().max(8192), key: z.string().trim().max(1_000_000) })
    .superRefine(({ base_url, other, key }, context) => {
      const missing = (name: string) =>
        context.addIssue({ code: 'custom', path: [name], message: 'shell:form.required' });
      if (channelTypeOf(type)?.needsBaseUrl && base_url === '') missing('base_url');
      if (channelTypeOf(type)?.other?.isNeeded && other === '') missing('other');
      if (key === '') missing('key');
    });

interface ProviderFormProps {
  type: number;
  /** Another one is not made then. */
  hasToken: boolean;
  onBack: () => void;
}

function ProviderForm({ type, hasToken, onBack }: ProviderFormProps) {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const typeName = useTypeName();
  const first = useFirstChannel({ type, hasToken });
  const { offered, chosen, failure } = first;
  const form = useSchemaForm(schemaOf(type), {
    base_url: '',
    other: channelTypeOf(type)?.other?.default ?? '',
    key: type === ollama ? 'ollama' : '',
  });
  const { isSubmitting } = form.formState;
  const { setError } = form;
  // What the vendor said stands under the key: most of the time it is about the key.
  useEffect(() => {
    if (failure) setError('key', { message: failure.text }, { shouldFocus: true });
  }, [failure, setError]);

  return (
    <div className={styles.step}>
      <div className={styles.chosen}>
        <Text weight="semibold">{typeName(type)}</Text>
        <Link as="button" type="button" onClick={onBack}>
          {t('provider.change')}
        </Link>
      </div>
      <Form
        form={form}
        isGuarded={false}
        onSubmit={(fields) =>
          offered ? first.save({ type, ...fields }, { isTested: true }) : first.connect({ type, ...fields })
        }
      >
        <TargetFields type={type} />
        {offered && <ModelChoice models={offered} chosen={chosen} onChange={first.setChosen} />}
        <div className={styles.actions}>
          <Button
            type="submit"
            appearance="primary"
            disabledFocusable={isSubmitting || (offered !== undefined && chosen.length === 0)}
            {...(isSubmitting && { icon: <Spinner size="tiny" aria-hidden /> })}
          >
            {t(offered ? (isSubmitting ? 'provider.testing' : 'provider.save') : 'provider.connect')}
          </Button>
          {failure?.at === 'models' && first.common.length > 0 && (
            <Button onClick={first.useCommon}>{t('provider.common', { count: first.common.length })}</Button>
          )}
          {failure?.at === 'test' && offered && (
            <Button onClick={form.handleSubmit((fields) => first.save({ type, ...fields }, { isTested: false }))}>
              {t('provider.untested')}
            </Button>
          )}
        </div>
      </Form>
    </div>
  );
}

function TargetFields({ type }: { type: number }) {
  const { t } = useTranslation('setup');
  const language = useLanguage();
  const known = channelTypeOf(type);
  const { about, baseUrl, needsBaseUrl = false, defaultBaseUrl = '' } = known ?? {};
  const { isKeyDocument = false, keyFormat = '', keyExample = keyFormat, keyHint = '' } = known ?? {};
  const key = {
    name: 'key',
    label: t('field.key'),
    hint: wordsIn(language, keyHint),
    placeholder: keyExample,
    isRequired: true,
  };
  return (
    <>
      {about && (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>{wordsIn(language, about)}</MessageBarBody>
        </MessageBar>
      )}
      {isKeyDocument ? (
        <TextAreaField {...key} rows={6} />
      ) : (
        <PasswordField {...key} autoComplete="new-password" autoFocus />
      )}
      <OtherField type={type} />
      <TextField
        name="base_url"
        label={wordsIn(language, baseUrl?.label ?? t('field.baseUrl'))}
        hint={wordsIn(language, baseUrl?.hint ?? t('field.baseUrlHint'))}
        placeholder={defaultBaseUrl}
        isRequired={needsBaseUrl}
      />
    </>
  );
}
