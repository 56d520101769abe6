import { Badge, Button, Field, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { OptionKey } from '../../../../core/schemas/option.ts';
import { PasswordField } from '../../components/form/field.tsx';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minHeight: '32px' },
});

interface SecretFieldProps {
  option: OptionKey;
  name: string;
  label: string;
  hint?: string;
}

/** Can be set and replaced, never read. */
export function SecretField({ option, name, label, hint }: SecretFieldProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { field } = useController({ name });
  const isSet = useSettings().detail(option)?.has ?? false;
  const [isReplacing, setReplacing] = useState(false);
  // Typed before a look at another tab, or before the server refused it.
  const isOpen = !isSet || isReplacing || field.value !== '';
  if (!isOpen) {
    return (
      <Field label={label} hint={hint}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend */}
        <div className={styles.row} role="group" aria-label={label}>
          <Badge appearance="tint" color="success">
            {t('secret.set')}
          </Badge>
          <Button size="small" onClick={() => setReplacing(true)} aria-label={t('secret.replaceOf', { name: label })}>
            {t('secret.replace')}
          </Button>
        </div>
      </Field>
    );
  }
  return (
    <PasswordField
      {...{ name, label, hint }}
      autoComplete="new-password"
      autoFocus={isReplacing}
      placeholder={t(isSet ? 'secret.keepBlank' : 'secret.unset')}
    />
  );
}
