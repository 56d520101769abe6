import { Tab, TabList, Text } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { type HealthOf, useChannelHealth } from '../../api/channel-health.ts';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { useHasCards } from '../../components/list/use-has-cards.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { currentSearch } from '../../state/current-search.ts';
import { HealthList } from './health-list.tsx';
import { healthSpans, nothing, useHealthRow } from './use-health-row.tsx';

/** How the models of a channel are served, or how the channels of a model serve it. */
export function HealthCard({ of }: { of: HealthOf }) {
  const { t } = useTranslation('health');
  const reading = useChannelHealth(of);
  const { span, setSpan } = useSpan();
  const hasCards = useHasCards();
  const subject = 'model' in of ? 'model' : 'channel';
  const toRow = useHealthRow({ span, subject });
  const rows = reading.data?.map(toRow) ?? [];
  const title = t(`title.${subject}`);
  return (
    <SectionCard title={title} purpose={t('purpose')} aside={<SpanTabs span={span} onChoose={setSpan} />}>
      <UntilLoaded reading={reading} />
      {reading.data?.length === 0 && <Text>{t(`none.${subject}`)}</Text>}
      {rows.length > 0 && hasCards && <HealthList label={title} rows={rows} />}
      {rows.length > 0 && !hasCards && (
        <SmallTable
          label={title}
          isWide
          columns={[
            { title: t(subject === 'model' ? 'channel' : 'model') },
            { title: t('success'), isWord: true },
            { title: t('requests'), isNumber: true },
            { title: t('firstToken'), isNumber: true },
            { title: t('speed'), isNumber: true },
            { title: t('lastError') },
          ]}
          rows={rows.map(({ key, name, success, requests, firstToken, speed, lastError }) => ({
            key,
            cells: [name, success, requests, firstToken, speed, lastError ?? nothing],
          }))}
        />
      )}
    </SectionCard>
  );
}

type SpanName = (typeof healthSpans)[number];

interface SpanTabsProps {
  span: SpanName;
  onChoose: (span: SpanName) => void;
}

function SpanTabs({ span, onChoose }: SpanTabsProps) {
  const { t } = useTranslation('health');
  return (
    <TabList
      size="small"
      selectedValue={span}
      aria-label={t('span')}
      onTabSelect={(_event, { value }) => onChoose(spanOf(value))}
    >
      {healthSpans.map((name) => (
        <Tab key={name} value={name}>
          {t(`spans.${name}`)}
        </Tab>
      ))}
    </TabList>
  );
}

const fallback = 'hour';
const spanOf = (value: unknown): SpanName => healthSpans.find((name) => name === value) ?? fallback;

/** The chosen span stands in the address, so that links and reloads keep it. */
function useSpan() {
  const [search, setSearch] = useSearchParams();
  function setSpan(span: SpanName): void {
    const after = currentSearch();
    if (span === fallback) after.delete('span');
    else after.set('span', span);
    setSearch(after, { replace: true });
  }
  return { span: spanOf(search.get('span')), setSpan };
}
