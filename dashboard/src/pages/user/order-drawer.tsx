import { Text } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { topUpCompleteSchema } from '../../../../core/schemas/wallet.ts';
import { completeOrder } from '../../api/wallet.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';

const formSchema = topUpCompleteSchema.pick({ reason: true });

/** Marks an order as paid that the payment service did not report. */
export function OrderDrawer({ tradeNo, sum, onClose }: { tradeNo: string; sum: string; onClose: () => void }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const form = useSchemaForm(formSchema, { reason: '' });

  async function save({ reason }: z.output<typeof formSchema>): Promise<void> {
    await completeOrder({ trade_no: tradeNo, reason });
    notify.success(t('order.done', { number: tradeNo, sum }));
    onClose();
  }

  return (
    <FormDrawer title={t('order.title')} action={t('order.action')} {...{ form, onClose }} onSubmit={save}>
      <Text>{t('order.text', { number: tradeNo, sum })}</Text>
      <TextField name="reason" label={t('order.reason')} hint={t('order.reasonHint')} isRequired />
    </FormDrawer>
  );
}
