import { Button, Field, Input, MessageBar, MessageBarBody, makeStyles, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { chatModelIn } from '../../../../core/schemas/chat-model.ts';
import { type Token, tokenCreateSchema } from '../../../../core/schemas/token.ts';
import { refreshFirstSteps } from '../../api/get-started.ts';
import { type PriceRow, priceListOptions } from '../../api/pricing.ts';
import { useTokenActions } from '../../api/token.ts';
import { CallExample } from '../../components/call-example.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { firstToken } from './use-first-channel.ts';

const useStyles = makeStyles({
  step: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  key: { fontFamily: tokens.fontFamilyMonospace, width: '100%' },
});

/** The key, and programs that call with it. */
export function KeyStep({ token, channel }: { token: Token; channel: Channel | undefined }) {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const copy = useCopy();
  const { data: prices } = useQuery(priceListOptions);
  const key = `sk-${token.key}`;
  const models = channel?.models.split(',') ?? [];
  const priced = pricedIn(models, prices?.data);
  return (
    <div className={styles.step}>
      <Field label={t('key.field')}>
        <Input
          readOnly
          className={styles.key}
          value={key}
          contentAfter={
            <IconButton size="small" label={t('key.copy')} icon={<Copy20Regular />} onClick={() => void copy(key)} />
          }
        />
      </Field>
      {prices && models.length > 0 && priced.length === 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {t('key.unpriced')} <TextLink to="/setting?tab=ratio">{t('key.prices')}</TextLink>
          </MessageBarBody>
        </MessageBar>
      )}
      <CallExample apiKey={key} model={chatModelIn(priced.length > 0 ? priced : models)} />
    </div>
  );
}

/** Calls of a model without a price are refused. */
function pricedIn(models: string[], rows: PriceRow[] = []): string[] {
  const known = new Set(rows.filter((row) => row.price_source !== 'none').map((row) => row.model_name));
  return models.filter((model) => known.has(model));
}

/** Where the channel is there already, but no key: it came from the command line. */
export function CreateKey() {
  const { t } = useTranslation('setup');
  const notify = useNotify();
  const tokens = useTokenActions();
  const [isBusy, setBusy] = useState(false);

  async function create(): Promise<void> {
    setBusy(true);
    await tokens.create([tokenCreateSchema.parse(firstToken)]).catch(notify.error);
    await refreshFirstSteps();
    setBusy(false);
  }

  return (
    <div>
      <Button appearance="primary" disabledFocusable={isBusy} onClick={() => void create()}>
        {t('key.create')}
      </Button>
    </div>
  );
}
