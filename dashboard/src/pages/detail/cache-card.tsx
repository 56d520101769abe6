import { Card, CardHeader, makeStyles, ProgressBar, Tab, TabList, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UsageSubject, UsageSum } from '../../../../core/schemas/usage-report.ts';
import { useUsageReport } from '../../api/usage-data.ts';
import { cardFrame, cardRoom } from '../../components/card-frame.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { periodOf } from '../overview/period.ts';

const shownRows = 10;

const useStyles = makeStyles({
  card: { ...cardFrame, ...cardRoom, minWidth: 0, gap: tokens.spacingVerticalM },
  list: { display: 'grid', gap: '14px', margin: 0, padding: 0, listStyleType: 'none' },
  words: { display: 'flex', justifyContent: 'space-between', gap: '12px', marginBottom: '4px' },
  name: { minWidth: 0, overflowWrap: 'anywhere' },
  figure: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

interface CacheCardProps {
  /** The range, and of which user; '' is all. */
  filters: { range: string; start: string; end: string };
  username: string;
  isOfAll: boolean;
}

/** What vendors' prompt caches saved, by channel, model and user for admins. Without any cached prompt it says so. */
export function CacheCard({ filters, username, isOfAll }: CacheCardProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const [chosen, setChosen] = useState<UsageSubject>('model');
  const subjects: UsageSubject[] = isOfAll ? ['model', 'channel', ...(username ? [] : (['user'] as const))] : ['model'];
  const by = subjects.find((one) => one === chosen) ?? 'model';
  const choice = { ...filters, unit: '', compare: '' };
  const { data, error, refetch } = useUsageReport({ by, filters, username }, () => periodOf(choice));
  const cached = data?.filter(({ cached_tokens: tokens, saved_quota: saved }) => tokens || saved);
  return (
    <Card className={styles.card} role="group" aria-label={t('cache.title')}>
      <CardHeader
        header={
          <Text as="h2" size={400} weight="semibold" style={{ margin: 0 }}>
            {t('cache.title')}
          </Text>
        }
        description={
          <Text size={200} className={styles.quiet}>
            {cached && cached.length > 0 ? t('cache.purpose', totalsOf(data ?? [], format)) : t('cache.what')}
          </Text>
        }
      />
      {subjects.length > 1 && (
        <TabList
          size="small"
          selectedValue={by}
          aria-label={t('cache.title')}
          onTabSelect={(_event, { value }) => setChosen(subjects.find((one) => one === value) ?? 'model')}
        >
          {subjects.map((subject) => (
            <Tab key={subject} value={subject}>
              {t(`cache.by.${subject}`)}
            </Tab>
          ))}
        </TabList>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {cached?.length === 0 && <Text className={styles.quiet}>{t('cache.none')}</Text>}
      <ul className={styles.list}>
        {cached
          ?.toSorted(bySaving)
          .slice(0, shownRows)
          .map((sum) => {
            const name = sum.name || `#${sum.id}`;
            const share = cachedShare(sum);
            const saved = format.cost(sum.saved_quota ?? 0);
            return (
              <li key={`${sum.id} ${sum.name}`}>
                <div className={styles.words}>
                  <span className={styles.name}>
                    <TextLink to={pathOf(by, sum)}>{name}</TextLink>
                  </span>
                  <span className={styles.figure}>{t('cache.row', { share: format.percent(share), saved })}</span>
                </div>
                <ProgressBar
                  aria-label={t('cache.bar', { name, share: format.percent(share), saved })}
                  thickness="large"
                  value={Math.min(1, share)}
                />
              </li>
            );
          })}
      </ul>
    </Card>
  );
}

const bySaving = (a: UsageSum, b: UsageSum) => (b.saved_quota ?? 0) - (a.saved_quota ?? 0);

/** Of the prompt tokens. */
function cachedShare({
  prompt_tokens: prompt,
  cached_tokens: cached,
}: Pick<UsageSum, 'prompt_tokens' | 'cached_tokens'>): number {
  return prompt ? (cached ?? 0) / prompt : 0;
}

/** Of all that was used, cached or not. */
function totalsOf(sums: UsageSum[], format: ReturnType<typeof useFormat>) {
  const total = { prompt_tokens: 0, cached_tokens: 0, saved: 0 };
  for (const { prompt_tokens: prompt, cached_tokens: cached, saved_quota: saved } of sums) {
    total.prompt_tokens += prompt ?? 0;
    total.cached_tokens += cached ?? 0;
    total.saved += saved ?? 0;
  }
  return { share: format.percent(cachedShare(total)), saved: format.cost(total.saved) };
}

function pathOf(by: UsageSubject, { id, name }: UsageSum): string {
  if (by === 'channel') return objectPath.channel(id);
  return by === 'user' ? objectPath.user(id) : objectPath.model(name);
}
