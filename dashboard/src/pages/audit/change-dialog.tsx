import { Field, makeStyles, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Audit } from '../../../../core/schemas/audit.ts';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';

const useStyles = makeStyles({
  code: {
    margin: 0,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    overflowY: 'auto',
    maxHeight: '240px',
  },
});

interface ChangeDialogProps {
  /** What was done, as the list says it. */
  name: string;
  row: Audit;
  onClose: () => void;
}

/** What an object was before a change, and after it. */
export function ChangeDialog({ name, row, onClose }: ChangeDialogProps) {
  const { t } = useTranslation('audit');
  const styles = useStyles();
  const parts = [
    { label: t('detail.before'), value: row.before },
    { label: t('detail.after'), value: row.after },
  ];
  return (
    <PanelDialog title={name} onClose={onClose}>
      {parts.map(({ label, value }) => (
        <Field key={label} label={label}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard */}
          <pre className={styles.code} tabIndex={0}>
            {value && Object.keys(value).length > 0 ? JSON.stringify(value, undefined, 2) : t('detail.none')}
          </pre>
        </Field>
      ))}
    </PanelDialog>
  );
}
