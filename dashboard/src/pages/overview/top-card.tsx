import { makeStyles, ProgressBar, Tab, TabList, Text, tokens } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { ChangeText } from './figure-card.tsx';

const useStyles = makeStyles({
  list: { display: 'grid', gap: '14px', margin: 0, padding: 0, listStyleType: 'none' },
  words: { display: 'flex', justifyContent: 'space-between', gap: '12px', marginBottom: '4px' },
  name: { minWidth: 0, overflowWrap: 'anywhere' },
  figures: { display: 'inline-flex', gap: tokens.spacingHorizontalS, flexShrink: 0, '& *': { whiteSpace: 'nowrap' } },
  figure: { fontVariantNumeric: 'tabular-nums' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

export interface TopRow {
  key: string;
  name: string;
  /** Whose it is. */
  owner?: ReactNode;
  to: string;
  quota: number;
  /** What it was in the time before; null where that is not known. */
  before: number | null;
}

export interface TopList {
  key: 'models' | 'users' | 'tokens';
  rows: TopRow[];
}

/** Where the money went: the first few of each kind, each as a part of the largest. */
export function TopCard({ lists, tokenSpan }: { lists: TopList[]; tokenSpan: 'day' | 'week' }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const [chosen, setChosen] = useState(lists[0]?.key ?? 'models');
  const rows = lists.find(({ key }) => key === chosen)?.rows ?? [];
  return (
    <SectionCard title={t('top.title')}>
      <TabList
        size="small"
        selectedValue={chosen}
        aria-label={t('top.title')}
        onTabSelect={(_event, { value }) => setChosen(lists.find(({ key }) => key === value)?.key ?? chosen)}
      >
        {lists.map(({ key }) => (
          <Tab key={key} value={key}>
            {t(`top.${key}`)}
          </Tab>
        ))}
      </TabList>
      {chosen === 'tokens' && (
        <Text size={200} className={styles.quiet}>
          {t(`top.span.${tokenSpan}`)}
        </Text>
      )}
      {rows.length === 0 ? <Text className={styles.quiet}>{t('top.none')}</Text> : <Rows rows={rows} />}
    </SectionCard>
  );
}

function Rows({ rows }: { rows: TopRow[] }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  const max = rows[0]?.quota ?? 0;
  return (
    <ul className={styles.list}>
      {rows.map(({ key, name, owner, to, quota, before }) => (
        <li key={key}>
          <div className={styles.words}>
            <span className={styles.name}>
              <TextLink to={to}>{name}</TextLink> {owner}
            </span>
            <span className={styles.figures}>
              {before !== null && <ChangeText now={quota} before={before} />}
              <span className={styles.figure}>{format.quota(quota)}</span>
            </span>
          </div>
          <ProgressBar
            aria-label={t('top.bar', { name, amount: format.quota(quota) })}
            thickness="large"
            value={max > 0 ? quota / max : 0}
          />
        </li>
      ))}
    </ul>
  );
}
