import { MessageBar, MessageBarBody, MessageBarTitle, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { ExplanationView } from '../../api/explain.ts';
import { useStatus } from '../../api/status.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { FigureRow } from '../../components/figure-row.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { useFormat } from '../../state/format.ts';
import { usePriceText } from '../../state/price-text.ts';
import { ExplainedChannels } from './explained-channels.tsx';
import { ExplainedLimits } from './explained-limits.tsx';

const useStyles = makeStyles({
  note: { color: tokens.colorNeutralForeground3 },
  request: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  url: { overflowWrap: 'anywhere', fontFamily: tokens.fontFamilyMonospace },
});

/** The verdict first, then the channels, the limits, the price and what would be sent. */
export function ExplanationCards({ view }: { view: ExplanationView }) {
  const { t } = useTranslation('explain');
  const { served, channels, request, refusals, price } = view;
  const isSure = channels.filter(({ turn }) => turn === 1).length === 1;
  const title = served ? t(isSure ? 'served' : 'likely', { name: request?.channel_name ?? '' }) : t('refused');
  return (
    <>
      <MessageBar intent={served ? 'success' : 'error'} layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{title}</MessageBarTitle>
          {t('to', { model: view.model, group: view.group, protocol: view.protocol })}
          {refusals.map(({ code, message, hint }) => (
            <div key={code}>
              {message} {hint}
            </div>
          ))}
        </MessageBarBody>
      </MessageBar>
      <ExplainedChannels view={view} />
      <ExplainedLimits view={view} />
      {price && <PriceCard price={price} />}
      {request && <RequestCard request={request} />}
    </>
  );
}

function PriceCard({ price }: { price: NonNullable<ExplanationView['price']> }) {
  const { t } = useTranslation('explain');
  const format = useFormat();
  const money = usePriceText();
  const { quota_per_unit: perUnit } = useStatus();
  const { per_million: perMillion, group_ratio: groupRatio } = price;
  const figures = perMillion
    ? [
        { label: t('price.input'), text: money(perMillion.prompt * perUnit) },
        { label: t('price.cached'), text: money(perMillion.cached * perUnit) },
        { label: t('price.output'), text: money(perMillion.completion * perUnit) },
      ]
    : [{ label: t('price.perCall'), text: money(price.model_price * groupRatio * perUnit) }];
  const counts = { prompt: format.number(price.prompt_tokens), completion: format.number(price.completion_tokens) };
  return (
    <SectionCard title={t('price.title')} purpose={t(`price.source.${price.source}`)}>
      <FigureRow figures={[...figures, { label: t('price.hold'), text: format.quota(price.hold) }]} />
      <Note text={t('price.holdHint', counts)} />
    </SectionCard>
  );
}

function Note({ text }: { text: string }) {
  const styles = useStyles();
  return (
    <Text size={200} className={styles.note}>
      {text}
    </Text>
  );
}

function RequestCard({ request }: { request: NonNullable<ExplanationView['request']> }) {
  const { t } = useTranslation('explain');
  const styles = useStyles();
  const { method, url, headers, body, dropped, channel_name: name } = request;
  const lines = [...Object.entries(headers).map(([key, value]) => `${key}: ${value}`), '', laidOut(body)];
  const fields = dropped.map(({ field }) => field).join(', ');
  return (
    <SectionCard title={t('request.title')} purpose={t('request.purpose', { name })}>
      <div className={styles.request}>
        <Text className={styles.url}>
          {method} {url}
        </Text>
        <CodeBlock code={lines.join('\n')} label={t('request.title')} />
        {fields !== '' && <Note text={t('request.dropped', { fields })} />}
      </div>
    </SectionCard>
  );
}

function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body; // what is sent need not be JSON
  }
}
