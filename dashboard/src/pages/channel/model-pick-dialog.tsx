import { Button, Checkbox, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { SearchInput } from '../../components/form/search-input.tsx';

interface ModelPickDialogProps {
  /** What the upstream serves. */
  models: string[];
  chosen: string[];
  onPick: (models: string[]) => void;
  onClose: () => void;
}

const useStyles = makeStyles({
  search: { maxWidth: 'none' },
  list: { display: 'flex', flexDirection: 'column', maxHeight: '50vh', overflowY: 'auto' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** Which of the upstream's models the channel is to serve. */
export function ModelPickDialog({ models, chosen, onPick, onClose }: ModelPickDialogProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [search, setSearch] = useState('');
  const [picked, setPicked] = useState(() => new Set(chosen.filter((one) => models.includes(one))));
  const shown = models.filter((one) => one.toLowerCase().includes(search.trim().toLowerCase()));
  const count = shown.filter((one) => picked.has(one)).length;

  function mark(names: string[], isPicked: boolean): void {
    const after = new Set(picked);
    for (const one of names) isPicked ? after.add(one) : after.delete(one);
    setPicked(after);
  }

  return (
    <PanelDialog
      title={t('pick.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell:action.cancel')}</Button>
          <Button
            appearance="primary"
            onClick={() => {
              onPick(models.filter((one) => picked.has(one)));
              onClose();
            }}
          >
            {t('pick.take', { count: picked.size })}
          </Button>
        </>
      }
    >
      <SearchInput
        className={styles.search}
        aria-label={t('models.search')}
        placeholder={t('models.search')}
        value={search}
        onChange={(_event, { value }) => setSearch(value)}
      />
      {shown.length === 0 ? (
        <Text className={styles.quiet}>{t('shell:state.noHit')}</Text>
      ) : (
        <Checkbox
          label={t('pick.all', { count: shown.length })}
          checked={count === shown.length ? true : count > 0 ? 'mixed' : false}
          onChange={() => mark(shown, count < shown.length)}
        />
      )}
      <div className={styles.list}>
        {shown.map((one) => (
          <Checkbox key={one} label={one} checked={picked.has(one)} onChange={() => mark([one], !picked.has(one))} />
        ))}
      </div>
    </PanelDialog>
  );
}
