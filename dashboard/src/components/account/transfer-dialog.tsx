import { Field } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { useWalletActions } from '../../api/wallet.ts';
import { useFormat } from '../../state/format.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import { useNotify } from '../feedback/notify.tsx';
import { FormDialog } from '../feedback/panel-dialog.tsx';
import { MoneyInput } from '../form/money-input.tsx';

/** Moves earnings from invitations to the balance: as much as there is, or less. */
export function TransferDialog({ pending, onClose }: { pending: number; onClose: () => void }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const notify = useNotify();
  const { quota_per_unit: perUnit } = useStatus();
  const { transferReward } = useWalletActions();
  const [quota, setQuota] = useState(pending);
  // A second press after a lost response must not move it twice.
  const requestKey = useRef(randomUuid());
  const [isMoving, setMoving] = useState(false);
  // At least one unit (accounts spec, section 5).
  const min = Math.ceil(perUnit);
  const problem = problemOf();

  function problemOf(): string | undefined {
    if (Number.isNaN(quota)) return t('transfer.missing');
    if (!Number.isSafeInteger(quota)) return t('transfer.whole');
    if (quota < perUnit) return t('transfer.min', { amount: format.quota(min) });
    return quota > pending ? t('transfer.max', { amount: format.quota(pending) }) : undefined;
  }

  async function submit(): Promise<void> {
    if (problem !== undefined) return notify.error(problem);
    setMoving(true);
    try {
      await transferReward({ quota, request_key: requestKey.current });
      notify.success(t('transfer.done'));
      onClose();
    } catch (error) {
      notify.error(error);
      setMoving(false);
    }
  }

  return (
    <FormDialog
      title={t('transfer.title')}
      action={t('transfer.action')}
      isBusy={isMoving}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label={t('transfer.amount')}
        hint={t('transfer.hint', { pending: format.quota(pending), min: format.quota(min) })}
        validationState={problem === undefined ? 'none' : 'error'}
        validationMessage={problem}
      >
        <MoneyInput units={quota} onUnits={setQuota} />
      </Field>
    </FormDialog>
  );
}
