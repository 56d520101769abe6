import { Button, Field, Input } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clearLogs } from '../../api/setting.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { useFormat } from '../../state/format.ts';
import { useExtraStyles } from './extra-style.ts';

/** Deletes the log rows before a moment; balances and sums stay right. */
export function LogClearing() {
  const { t } = useTranslation('setting');
  const styles = useExtraStyles();
  const notify = useNotify();
  const confirm = useConfirm();
  const format = useFormat();
  const [time, setTime] = useState('');

  async function clear(): Promise<void> {
    const before = Math.floor(new Date(time).getTime() / 1000);
    if (!Number.isFinite(before)) return notify.error(t('clearLog.missing'));
    const isSure = await confirm({
      title: t('clearLog.title'),
      text: t('clearLog.text', { time: format.time(before) }),
      action: t('clearLog.action'),
      word: t('clearLog.word'),
      isDangerous: true,
    });
    if (!isSure) return;
    await clearLogs(before).then((count) => notify.success(t('clearLog.done', { count })), notify.error);
  }
  return (
    <div className={styles.row}>
      <Field label={t('clearLog.time')} className={styles.field}>
        <Input type="datetime-local" value={time} onChange={(_event, { value }) => setTime(value)} />
      </Field>
      <Button icon={<Delete20Regular />} onClick={() => void clear()}>
        {t('clearLog.action')}
      </Button>
    </div>
  );
}
