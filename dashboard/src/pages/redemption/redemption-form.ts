import { z } from 'zod';
import {
  maxCodesPerBatch,
  type Redemption,
  type RedemptionUpdate,
  redemptionCreateSchema,
} from '../../../../core/schemas/redemption.ts';
import { readTimeText, timeText } from '../../state/format.ts';

/** The code as people fill it in: a time as text, a name that may be left out. */
export const redemptionFormSchema = z.object({
  /** Empty: the quota is its name (operations spec, section 5). */
  name: redemptionCreateSchema.shape.name,
  quota: z
    .number({ error: 'redemption:form.quotaMissing' })
    .int({ error: 'redemption:form.quotaWhole' })
    .min(1, { error: 'redemption:form.quotaLeast' }),
  count: z
    .number({ error: 'redemption:form.countWhole' })
    .int({ error: 'redemption:form.countWhole' })
    .min(1, { error: 'redemption:form.countLeast' })
    .max(maxCodesPerBatch, { error: 'redemption:form.countMost' }),
  /** Empty is never. */
  expires: z.string().refine((text) => text.trim() === '' || readTimeText(text) !== undefined, {
    message: 'redemption:form.expiryFormat',
  }),
});
export type RedemptionForm = z.output<typeof redemptionFormSchema>;

/** Defaults of the operations spec, section 9. */
const defaultValue = { quota: 100_000, count: 1 };

export function redemptionFormValues(redemption: Redemption | undefined) {
  return {
    name: redemption?.name ?? '',
    quota: redemption?.quota ?? defaultValue.quota,
    count: defaultValue.count,
    expires: redemption && redemption.expired_time > 0 ? timeText(redemption.expired_time) : '',
  };
}

/** Unix seconds, 0 for never. */
export const expiryOf = ({ expires }: Pick<RedemptionForm, 'expires'>): number => readTimeText(expires) ?? 0;

/** Only what was changed: another admin may have changed the rest since the form was opened. */
export const updateOf = (
  output: RedemptionForm,
  { name, quota, expires }: Partial<RedemptionForm>,
): Omit<RedemptionUpdate, 'id'> => ({
  ...(name !== undefined && { name: output.name }),
  ...(quota !== undefined && { quota }),
  ...(expires !== undefined && { expired_time: expiryOf({ expires }) }),
});
