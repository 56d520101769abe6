import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle20Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { DismissCircle20Filled } from '@fluentui/react-icons/svg/dismiss-circle';
import { Warning20Filled } from '@fluentui/react-icons/svg/warning';
import { useTranslation } from 'react-i18next';
import type { Attention } from '../../../../core/schemas/overview.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { sentence } from '../../state/sentence.ts';
import { useDuration } from './use-duration.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalM, margin: 0, padding: 0, listStyleType: 'none' },
  item: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
  good: { display: 'flex', flexShrink: 0, color: tokens.colorStatusSuccessForeground1 },
  warning: { display: 'flex', flexShrink: 0, color: tokens.colorStatusWarningForeground3 },
  danger: { display: 'flex', flexShrink: 0, color: tokens.colorStatusDangerForeground1 },
});

/** Who or what needs a person, the most urgent first. Without a channel nothing works: that is no quiet day. */
export function AttentionCard({ items, hasChannels }: { items: Attention[]; hasChannels: boolean }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  return (
    <SectionCard title={t('attention.title')}>
      {items.length === 0 ? (
        <div className={styles.item}>
          <span className={hasChannels ? styles.good : styles.warning}>
            {hasChannels ? <CheckmarkCircle20Filled /> : <Warning20Filled />}
          </span>
          <Text>{t(hasChannels ? 'attention.none' : 'attention.noChannels')}</Text>
        </div>
      ) : (
        <ul className={styles.list}>
          {items.map((item) => (
            <Item key={`${item.kind} ${item.id} ${item.name} ${item.group}`} item={item} />
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function Item({ item }: { item: Attention }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const isUrgent = urgentKinds.has(item.kind);
  const words = useWords();
  return (
    <li className={styles.item}>
      <span
        className={isUrgent ? styles.danger : styles.warning}
        role="img"
        aria-label={t(isUrgent ? 'attention.urgent' : 'attention.soon')}
      >
        {isUrgent ? <DismissCircle20Filled /> : <Warning20Filled />}
      </span>
      <span className={styles.words}>
        <span>
          <TextLink to={pathOf(item)}>{item.name}</TextLink> <Text>{words(item)}</Text>
        </span>
        {item.kind === 'unserved' && (
          <Text size={200}>
            <TextLink to="/channel/add">{t('channel.add')}</TextLink>
          </Text>
        )}
        {item.reason && (
          <Text size={200} className={styles.quiet}>
            {sentence(item.reason)}
          </Text>
        )}
      </span>
    </li>
  );
}

const urgentKinds = new Set<Attention['kind']>(['channelOff', 'channelFailing', 'unserved']);

function pathOf({ kind, id, name }: Attention): string {
  if (kind === 'userBalance') return objectPath.user(id);
  return kind === 'unserved' ? objectPath.model(name) : objectPath.channel(id);
}

function useWords(): (item: Attention) => string {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const relative = useRelativeTime();
  const duration = useDuration();
  return ({ kind, since, days, left, group, count, p95, previous_p95: before }) => {
    if (kind === 'unserved') return t('attention.unserved', { group, count: format.number(count) });
    if (kind === 'channelSlow' || kind === 'channelFirstSlow')
      return t(`attention.${kind}`, { time: duration(p95 ?? 0), before: duration(before ?? 0) });
    if (kind === 'channelOff')
      return since > 0 ? t('attention.channelOff', { time: relative(since) }) : t('attention.channelOffBefore');
    if (kind === 'channelFailing') return t('attention.channelFailing');
    const amount = kind === 'channelBalance' ? format.dollars(left) : format.quota(left);
    if (left <= 0) return t('attention.balanceEmpty');
    if (days === null) return t('attention.balanceLow', { amount });
    return days < 1
      ? t('attention.balanceToday', { amount })
      : t('attention.balanceDays', { amount, days: Math.floor(days) + 1, count: Math.floor(days) + 1 });
  };
}
