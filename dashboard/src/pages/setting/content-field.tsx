import { makeStyles, Switch, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextAreaField } from '../../components/form/field.tsx';
import { OperatorContent } from '../../components/operator-content.tsx';

const useStyles = makeStyles({
  field: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  switch: { marginLeft: '-8px', alignSelf: 'flex-start' },
  preview: {
    maxHeight: '480px',
    overflow: 'auto',
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusMedium,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
  },
});

interface ContentFieldProps {
  name: string;
  label: string;
  hint?: string;
}

/** A text of the operator's, with a look at what becomes of it. */
export function ContentField({ name, label, hint }: ContentFieldProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const [hasPreview, setPreview] = useState(false);
  const content = String(useWatch({ name }) ?? '');
  return (
    <div className={styles.field}>
      <TextAreaField {...{ name, label, hint }} rows={6} />
      <Switch
        className={styles.switch}
        label={t('preview', { label })}
        checked={hasPreview}
        onChange={(_event, { checked }) => setPreview(checked)}
      />
      {hasPreview && content.trim() !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
        <section className={styles.preview} aria-label={t('preview', { label })} tabIndex={0}>
          <OperatorContent content={content} title={label} />
        </section>
      )}
    </div>
  );
}
