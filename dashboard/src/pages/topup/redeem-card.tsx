import { Button, Field, Input, Link, makeStyles, tokens } from '@fluentui/react-components';
import { Open20Regular } from '@fluentui/react-icons/svg/open';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { useStatus } from '../../api/status.ts';
import { useWalletActions } from '../../api/wallet.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { isRoot, sessionUser } from '../../state/session.ts';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  field: { flex: '1 1 220px' },
  note: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  code: { fontFamily: tokens.fontFamilyMonospace },
});

/** A code for quota, and where to buy one. */
export function RedeemCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const format = useFormat();
  const notify = useNotify();
  const { redeem } = useWalletActions();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (code.trim() === '') return setProblem(t('redeem.missing'));
    if (isSending) return;
    setSending(true);
    try {
      const quota = await redeem(code.trim());
      notify.success(t('redeem.done', { amount: format.quota(quota) }));
      setCode('');
    } catch (error) {
      // A refusal says what is wrong with the code; without a response nothing is.
      const isRefusal = error instanceof ApiError && error.status > 0 && error.status < 500;
      notify.error(isRefusal ? error : new Error(t('redeem.failed')));
      setProblem(isRefusal ? error.message : t('redeem.failed'));
    } finally {
      setSending(false);
    }
  }

  return (
    <SectionCard title={t('redeem.title')} purpose={t('redeem.purpose')}>
      <form noValidate className={styles.row} onSubmit={(event) => void submit(event)}>
        <Field
          className={styles.field}
          validationState={problem === undefined ? 'none' : 'error'}
          validationMessage={problem}
        >
          <Input
            className={styles.code}
            aria-label={t('redeem.code')}
            placeholder={t('redeem.placeholder')}
            autoComplete="off"
            value={code}
            onChange={(_event, { value }) => {
              setCode(value);
              setProblem(undefined);
            }}
          />
        </Field>
        <Button type="submit" appearance="primary" disabledFocusable={isSending}>
          {t('redeem.action')}
        </Button>
      </form>
      <Shop />
    </SectionCard>
  );
}

function Shop() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const { top_up_link: shop } = useStatus();
  const me = sessionUser.use();
  if (shop) {
    return (
      <Link href={shop} target="_blank" rel="noopener noreferrer">
        {t('redeem.shop')} <Open20Regular aria-hidden style={{ verticalAlign: 'text-bottom' }} />
      </Link>
    );
  }
  return (
    <span className={styles.note}>
      {t('redeem.noShop')} {isRoot(me) && <TextLink to="/setting?tab=operation">{t('redeem.setShop')}</TextLink>}
    </span>
  );
}
