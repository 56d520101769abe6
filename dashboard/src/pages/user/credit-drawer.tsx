import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type User, userCreditSchema } from '../../../../core/schemas/user.ts';
import { useStatus } from '../../api/status.ts';
import { useUserActions } from '../../api/user.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { MoneyField } from '../../components/form/money-field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useFormat } from '../../state/format.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import { LoadedUser } from './loaded-user.tsx';

const useStyles = makeStyles({
  sums: {
    display: 'grid',
    gridTemplateColumns: 'max-content 1fr',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontVariantNumeric: 'tabular-nums',
  },
  value: { margin: 0, textAlign: 'end' },
  label: { color: tokens.colorNeutralForeground3 },
});

/** The amount in units. */
const formSchema = z.object({
  amount: z
    .number({ error: 'user:credit.amountMissing' })
    .refine((amount) => Number.isSafeInteger(Math.round(amount)), { error: 'user:credit.amountLarge' })
    .refine((amount) => Math.round(amount) !== 0, { error: 'user:credit.amountZero' }),
  note: userCreditSchema.shape.note,
});

/** Money given to a user, or taken back, with the balance it leads to before it is done. */
export const CreditDrawer = (props: { id: number; onClose: () => void }) => (
  <LoadedUser {...props}>{(user) => <Credit user={user} onClose={props.onClose} />}</LoadedUser>
);

function Credit({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const { addCredit } = useUserActions();
  const format = useFormat();
  const { quota_per_unit: perUnit, display_in_currency: inCurrency } = useStatus();
  const isMoney = inCurrency && perUnit > 0;
  // A second press after a lost response must not pay twice.
  const key = useRef(randomUuid());
  const form = useSchemaForm(formSchema, { amount: Number.NaN, note: '' });

  async function save({ amount, note }: z.output<typeof formSchema>): Promise<void> {
    const changed = await addCredit({ id: user.id, amount: Math.round(amount), note, key: key.current });
    const [balance = ''] = format.quotas([changed.quota]);
    notify.success(t('credit.done', { name: user.username, balance }));
    onClose();
  }

  return (
    <FormDrawer
      title={t('credit.title', { name: user.username })}
      action={t('credit.action')}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <MoneyField
        name="amount"
        label={t(isMoney ? 'credit.dollars' : 'credit.units')}
        hint={t('credit.amountHint')}
        isRequired
      />
      <TextField name="note" label={t('credit.note')} hint={t('credit.noteHint')} />
      <Balances user={user} />
    </FormDrawer>
  );
}

/** What is there now, and what will be there. */
function Balances({ user }: { user: User }) {
  const { t } = useTranslation('user');
  const styles = useStyles();
  const format = useFormat();
  const amount: unknown = useWatch({ name: 'amount' });
  const change = Math.round(Number(amount));
  const after = Number.isSafeInteger(change) ? user.quota + change : user.quota;
  const [before = '', later = ''] = format.quotas([user.quota, after]);
  return (
    <dl className={styles.sums} aria-live="polite">
      <dt className={styles.label}>{t('credit.before')}</dt>
      <dd className={styles.value}>{before}</dd>
      <dt className={styles.label}>{t('credit.after')}</dt>
      <dd className={styles.value}>
        <Text weight="semibold">{later}</Text>
      </dd>
    </dl>
  );
}
