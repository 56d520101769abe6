import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../i18n/option-text.ts';
import { timeText } from '../../state/format.ts';
import { differencesOf, type SettingConflict } from './setting-conflict.ts';

export type ConflictChoice = 'theirs' | 'mine' | 'later';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  difference: { maxHeight: '40vh', overflowY: 'auto' },
  cell: { overflowWrap: 'anywhere', verticalAlign: 'top', padding: tokens.spacingVerticalXS },
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
  const [isOpen, setOpen] = useState(false);
  const labelOf = ({ key }: SettingConflict) => optionText(key).label;
  return (
    <Dialog modalType="alert" open onOpenChange={(_event, { open }) => open || onAnswer('later')}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('conflict.title')}</DialogTitle>
          <DialogContent className={styles.content}>
            {conflicts.map((conflict) => (
              <div key={conflict.key}>
                {t('conflict.changed', {
                  name: labelOf(conflict),
                  by: conflict.now.changed_by || '-',
                  at: conflict.now.changed_at > 0 ? timeText(conflict.now.changed_at) : '-',
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
                  <Table key={conflict.key} size="small" aria-label={labelOf(conflict)}>
                    <TableHeader>
                      <TableRow>
                        <TableHeaderCell>{labelOf(conflict)}</TableHeaderCell>
                        <TableHeaderCell>{t('conflict.theirs')}</TableHeaderCell>
                        <TableHeaderCell>{t('conflict.mine')}</TableHeaderCell>
                      </TableRow>
                    </TableHeader>
                    <TableBody>
                      {differencesOf(conflict).map(({ name, mine, theirs }) => (
                        <TableRow key={name}>
                          <TableCell className={styles.cell}>{name}</TableCell>
                          <TableCell className={styles.cell}>
                            <div className={styles.text}>{theirs || '-'}</div>
                          </TableCell>
                          <TableCell className={styles.cell}>
                            <div className={styles.text}>{mine || '-'}</div>
                          </TableCell>
                        </TableRow>
                      ))}
                    </TableBody>
                  </Table>
                ))}
              </div>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={() => onAnswer('later')}>{t('shell:action.cancel')}</Button>
            <Button onClick={() => onAnswer('theirs')}>{t('conflict.load')}</Button>
            <Button appearance="primary" onClick={() => onAnswer('mine')}>
              {t('conflict.save')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
