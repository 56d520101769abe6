import { Avatar, Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { BalanceFigures } from '../../../components/account/balance-figures.tsx';
import { SectionCard } from '../../../components/section-card.tsx';
import { isAdmin, isRoot, sessionUser } from '../../../state/session.ts';

const useStyles = makeStyles({
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, minWidth: 0 },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, gap: tokens.spacingVerticalXXS },
  tags: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
});

/** Who one is here, and how the account stands. */
export function OverviewCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const me = sessionUser.use();
  if (!me) return null;
  return (
    <SectionCard title={t('overview.title')}>
      <div className={styles.head}>
        <Avatar size={48} name={me.display_name || me.username} color="brand" aria-hidden />
        <div className={styles.words}>
          <Text size={400} weight="semibold" truncate wrap={false} block>
            {me.display_name || me.username}
          </Text>
          <span className={styles.tags}>
            <Badge appearance="outline" color="informative">
              {t('overview.id', { id: me.id })}
            </Badge>
            {isAdmin(me) && (
              <Badge appearance={isRoot(me) ? 'filled' : 'tint'} color="brand">
                {t(isRoot(me) ? 'overview.root' : 'overview.admin')}
              </Badge>
            )}
            <Badge appearance="tint" color="informative">
              {t('overview.group', { group: me.group })}
            </Badge>
          </span>
        </div>
      </div>
      <BalanceFigures />
    </SectionCard>
  );
}
