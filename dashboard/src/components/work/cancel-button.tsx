import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CanceledTask } from '../../../../core/schemas/task.ts';
import { api } from '../../api/client.ts';
import { useFormat } from '../../state/format.ts';
import { useConfirm } from '../feedback/confirm.tsx';
import { useNotify } from '../feedback/notify.tsx';

interface CancelButtonProps {
  /** Of its list: `/api/task`. */
  path: string;
  id: number;
  name: string;
  /** The list is to be read again, whatever came of it. */
  onDone: () => void;
}

/** Stops a job at its provider, after a question, and says what came back. */
export function CancelButton({ path, id, name, onDone }: CancelButtonProps) {
  const { t } = useTranslation('work');
  const confirm = useConfirm();
  const notify = useNotify();
  const format = useFormat();
  const [isBusy, setBusy] = useState(false);

  async function cancel(): Promise<void> {
    const question = { title: t('cancel.title', { name }), text: t('cancel.text') };
    if (!(await confirm({ ...question, action: t('cancel.action'), isDangerous: true }))) return;
    setBusy(true);
    await api
      .post<CanceledTask>(`${path}/${id}/cancel`)
      .then(({ refunded }) => notify.success(t('cancel.done', { amount: format.quota(refunded) })), notify.error);
    setBusy(false);
    onDone();
  }

  return (
    <Button disabledFocusable={isBusy} onClick={() => void cancel()}>
      {t('cancel.action')}
    </Button>
  );
}
