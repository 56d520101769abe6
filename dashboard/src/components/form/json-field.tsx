import { makeStyles, tokens } from '@fluentui/react-components';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { jsonErrorPosition } from '../../../../core/lib/json-position.ts';
import { PresetRow } from '../preset-row.tsx';
import { TextAreaField } from './field.tsx';

interface JsonFieldProps {
  name: string;
  label: string;
  hint?: string;
  /** Filled in on demand, and shown while the field is empty. */
  template?: object;
  rows?: number;
}

const useStyles = makeStyles({
  field: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
});

/** JSON text with a button that lays it out. Its schema is made with `jsonTextSchema`. */
export function JsonField({ name, label, hint, template, rows = 4 }: JsonFieldProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { field } = useController({ name });
  const text = String(field.value ?? '');
  const canFormat = text.trim() !== '' && jsonErrorPosition(text) === undefined;
  const example = template && JSON.stringify(template, undefined, 2);
  return (
    <div className={styles.field}>
      <TextAreaField name={name} label={label} hint={hint} rows={rows} placeholder={example} />
      <PresetRow
        label={t('json.tools', { label })}
        presets={[
          {
            key: 'format',
            text: t('json.format'),
            isDisabled: !canFormat,
            onSelect: () => field.onChange(JSON.stringify(JSON.parse(text), undefined, 2)),
          },
          ...(example ? [{ key: 'template', text: t('json.template'), onSelect: () => field.onChange(example) }] : []),
        ]}
      />
    </div>
  );
}
