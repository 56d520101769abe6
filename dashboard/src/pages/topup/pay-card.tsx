import { Button, Field, Input, MessageBar, MessageBarBody, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TopUpInfo } from '../../../../core/schemas/wallet.ts';
import { useStatus } from '../../api/status.ts';
import { usePrice, useTopUpInfo, useWalletActions } from '../../api/wallet.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { PresetRow } from '../../components/preset-row.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { randomUuid } from '../../state/random-uuid.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { postForm } from './post-form.ts';

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  with: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  price: { fontVariantNumeric: 'tabular-nums' },
});

/** Quota for money, by way of the payment service. */
export function PayCard() {
  const { t } = useTranslation('account');
  const reading = useTopUpInfo();
  const { data: info } = reading;
  return (
    <SectionCard title={t('pay.title')} purpose={t('pay.purpose')}>
      <UntilLoaded reading={reading} />
      {info && (info.enable_online_topup ? <PayForm info={info} /> : <NotConfigured />)}
    </SectionCard>
  );
}

function NotConfigured() {
  const { t } = useTranslation('account');
  const me = sessionUser.use();
  return (
    <MessageBar intent="info" layout="multiline">
      <MessageBarBody>
        {t('pay.off')}{' '}
        {isRoot(me) && (
          <TextLink to="/setting?tab=system">{t('pay.setUp', { options: 'PayAddress, EpayId, EpayKey' })}</TextLink>
        )}
      </MessageBarBody>
    </MessageBar>
  );
}

const multiples = [1, 5, 10, 20, 50, 100];
const patienceMs = 400;

function PayForm({ info }: { info: TopUpInfo }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const format = useFormat();
  const notify = useNotify();
  const confirm = useConfirm();
  // One for each order: neither a second press after a lost response nor a browser that sends it again makes another.
  const requestKey = useRef(randomUuid());
  const { pay } = useWalletActions();
  const { display_in_currency: inCurrency, quota_per_unit: perUnit } = useStatus();
  const min = Math.max(1, Math.ceil(info.min_topup));
  const [text, setText] = useState(String(min));
  const amount = Number(text || Number.NaN);
  const isAllowed = Number.isSafeInteger(amount) && amount >= min;
  const settled = useSettled(isAllowed ? amount : 0);
  const price = usePrice(settled, settled > 0);
  const isPriced = isAllowed && settled === amount && price.isSuccess && !price.isPlaceholderData;
  const refusal = settled === amount && price.error ? price.error.message : undefined;
  const isPart = amount > min && !Number.isInteger(amount);
  const problem = isAllowed ? refusal : isPart ? t('pay.whole') : t('pay.min', { min: format.number(min) });

  // Amounts are typed in dollars while they are shown so, else in units of quota.
  const amountText = (value: number) => (inCurrency ? `$${format.number(value)}` : format.quota(value));

  async function order(method: TopUpInfo['pay_methods'][number]): Promise<void> {
    if (!isPriced) return notify.error(problem ?? t('pay.wait'));
    const bought = format.quota(inCurrency ? amount * perUnit : amount);
    const isSure = await confirm({
      title: t('pay.confirm'),
      text: t('pay.sum', { amount: bought, price: price.data, method: method.name }),
      action: t('pay.with', { method: method.name }),
    });
    if (!isSure) return;
    try {
      const { data: fields, url } = await pay({ amount, payment_method: method.type, request_key: requestKey.current });
      requestKey.current = randomUuid();
      postForm(url, fields);
    } catch (error) {
      notify.error(error);
    }
  }

  return (
    <>
      <div className={styles.with}>
        <Field
          label={t('pay.amount')}
          hint={t('pay.hint', { min: amountText(min) })}
          validationState={problem === undefined ? 'none' : 'error'}
          validationMessage={problem}
        >
          <Input
            type="number"
            min={min}
            contentBefore={inCurrency ? <Text>$</Text> : undefined}
            value={text}
            onChange={(_event, { value }) => setText(value)}
            onBlur={() => !(amount >= 1) && setText('1')}
          />
        </Field>
        <PresetRow
          label={t('pay.presets')}
          presets={multiples.map((multiple) => ({
            key: String(multiple),
            text: amountText(min * multiple),
            onSelect: () => setText(String(min * multiple)),
          }))}
        />
      </div>
      <Text className={styles.price} role="status">
        {t('pay.price', { price: isPriced ? price.data : '–' })}
      </Text>
      <div className={styles.buttons}>
        {info.pay_methods.map((method) => (
          <Button key={method.type} appearance="primary" onClick={() => void order(method)}>
            {method.name}
          </Button>
        ))}
      </div>
    </>
  );
}

/** The value once it has stood still: not every digit that is typed is asked for. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patienceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
