import { Button, makeStyles } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { useOptionText } from '../../i18n/option-text.ts';
import { useFormat } from '../../state/format.ts';
import { differencesOf, type SettingConflict } from './setting-conflict.ts';

export type ConflictChoice = 'theirs' | 'mine' | 'later';

const useStyles = makeStyles({
  difference: { maxHeight: '40vh', overflowY: 'auto' },
  text: { whiteSpace: 'pre-wrap', maxHeight: '12em', overflowY: 'auto' },
});

interface ConflictDialogProps {
  conflicts: SettingConflict[];
  onAnswer(choice: ConflictChoice): void;
}

/** Another user saved what is being edited: take it over, look at it, or put one's own changes on top. */
export function ConflictDialog({ conflicts, onAnswer }: ConflictDialogProps) {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const styles = useStyles();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const labelOf = ({ key }: SettingConflict) => optionText(key).label;
  return (
    <PanelDialog
      title={t('conflict.title')}
      isAlert
      actions={
        <>
          <Button onClick={() => onAnswer('later')}>{t('shell:action.cancel')}</Button>
          <Button onClick={() => onAnswer('theirs')}>{t('conflict.load')}</Button>
          <Button appearance="primary" onClick={() => onAnswer('mine')}>
            {t('conflict.save')}
          </Button>
        </>
      }
      onClose={() => onAnswer('later')}
    >
      {conflicts.map((conflict) => (
        <div key={conflict.key}>
          {t('conflict.changed', {
            name: labelOf(conflict),
            by: conflict.now.changed_by || '-',
            at: format.time(conflict.now.changed_at),
          })}
        </div>
      ))}
      <div>{t('conflict.text')}</div>
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'conflict.hide' : 'conflict.show')}
      </Button>
      {isOpen && (
        <div className={styles.difference}>
          {conflicts.map((conflict) => (
            <SmallTable
              key={conflict.key}
              label={labelOf(conflict)}
              columns={[labelOf(conflict), t('conflict.theirs'), t('conflict.mine')].map((title) => ({ title }))}
              rows={differencesOf(conflict).map(({ name, mine, theirs }) => ({
                key: name,
                cells: [name, <Value key="theirs" text={theirs} />, <Value key="mine" text={mine} />],
              }))}
            />
          ))}
        </div>
      )}
    </PanelDialog>
  );
}

function Value({ text }: { text: string }) {
  return <div className={useStyles().text}>{text || '-'}</div>;
}
