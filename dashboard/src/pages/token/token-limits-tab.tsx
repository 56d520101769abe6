import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { lastUsed } from '../../../../core/schemas/token-status.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { When } from '../../components/when.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { expiry, QuotaBar } from './token-column.tsx';

const useStyles = makeStyles({
  facts: {
    display: 'grid',
    gridTemplateColumns: 'minmax(120px, max-content) 1fr',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
    margin: 0,
  },
  term: { color: tokens.colorNeutralForeground3 },
  fact: { margin: 0, minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' },
  models: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

/** What a token may do, and for how long. */
export function TokenLimitsTab({ token }: { token: Token }) {
  const { t } = useTranslation('token');
  const styles = useStyles();
  const format = useFormat();
  const models = token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : undefined;
  const facts: [key: string, value: ReactNode][] = [
    ['usage', <QuotaBar key="usage" token={token} />],
    ['expires', expiry(token.expired_time, format, t)],
    [
      'models',
      models ? (
        <span key="models" className={styles.models}>
          {models.map((name) => (
            <TextLink key={name} to={objectPath.model(name)}>
              {name}
            </TextLink>
          ))}
        </span>
      ) : (
        t('overview:token.limits.allModels')
      ),
    ],
    ['addresses', token.allow_ips || t('overview:token.limits.allAddresses')],
    ['group', token.group ? <Group key="group" name={token.group} /> : t('ownGroup')],
    ['created', format.time(token.created_time)],
    ['lastUsed', <When key="used" seconds={lastUsed(token)} />],
  ];
  return (
    <SectionCard title={t('overview:token.limits.title')} purpose={t('overview:token.limits.purpose')}>
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt className={styles.term}>{t(`field.${key}`)}</dt>
            <dd className={styles.fact}>{value}</dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  );
}

/** For admins with a way to its limits. */
function Group({ name }: { name: string }) {
  return isAdmin(sessionUser.use()) ? <TextLink to={objectPath.group(name)}>{name}</TextLink> : name;
}
