import { makeStyles, ProgressBar } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { UserUsage } from '../../../../core/schemas/usage-data.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { ChartCard } from './chart-card.tsx';

const shownUsers = 10;

const useStyles = makeStyles({
  list: { display: 'grid', gap: '14px', margin: 0, padding: 0, listStyleType: 'none' },
  words: { display: 'flex', justifyContent: 'space-between', gap: '12px', marginBottom: '4px' },
  figure: { fontVariantNumeric: 'tabular-nums' },
});

interface UserUsageCardProps {
  users: UserUsage[];
  /** The log rows behind a user's bar. */
  logOf: (user: UserUsage) => string;
}

/** Who spent most, each as a part of the largest. */
export function UserUsageCard({ users, logOf }: UserUsageCardProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const max = users[0]?.quota ?? 0;
  const nameOf = ({ username, user_id }: UserUsage) => username || `#${user_id}`;
  return (
    <ChartCard
      title={t('chart.users')}
      isEmpty={users.length === 0}
      columns={[t('field.user'), t('field.spent'), t('field.calls'), t('field.tokens')]}
      rows={users.map((user) => ({
        key: String(user.user_id),
        cells: [
          <TextLink key="name" to={logOf(user)}>
            {nameOf(user)}
          </TextLink>,
          format.cost(user.quota),
          format.number(user.count),
          format.number(user.token_used),
        ],
      }))}
    >
      <ul className={styles.list}>
        {users.slice(0, shownUsers).map((user) => (
          <li key={user.user_id}>
            <div className={styles.words}>
              <TextLink to={logOf(user)}>{nameOf(user)}</TextLink>
              <span className={styles.figure}>{format.quota(user.quota)}</span>
            </div>
            <ProgressBar
              aria-label={t('userBar', { name: nameOf(user), amount: format.quota(user.quota) })}
              thickness="large"
              value={max > 0 ? user.quota / max : 0}
            />
          </li>
        ))}
      </ul>
    </ChartCard>
  );
}
