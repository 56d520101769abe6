import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/user.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

const useStyles = makeStyles({
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '8px 24px', margin: 0 },
  term: { color: tokens.colorNeutralForeground3 },
  fact: { margin: 0, fontVariantNumeric: 'tabular-nums' },
});

interface LogUserDialogProps {
  userId: number;
  onClose: () => void;
}

/** Whose call a row was: for admins who look after an account. */
export function LogUserDialog({ userId, onClose }: LogUserDialogProps) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { data: user, error, refetch } = useUser(userId);
  const facts: [string, ReactNode][] | undefined = user && [
    [
      'username',
      <TextLink key="username" to={objectPath.user(user.id)}>
        {user.username}
      </TextLink>,
    ],
    ['quota', format.quota(user.quota)],
    ['used', format.quota(user.used_quota)],
    ['calls', format.number(user.request_count)],
    [
      'group',
      <TextLink key="group" to={objectPath.group(user.group)}>
        {user.group}
      </TextLink>,
    ],
  ];
  return (
    <PanelDialog title={t('user.title')} onClose={onClose}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!facts && !error && (
        <Skeleton aria-label={t('shell:state.loading')}>
          <SkeletonItem size={96} />
        </Skeleton>
      )}
      {facts && (
        <dl className={styles.facts}>
          {facts.map(([key, value]) => (
            <div key={key} style={{ display: 'contents' }}>
              <dt className={styles.term}>{t(`user.${key}`)}</dt>
              <dd className={styles.fact}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </PanelDialog>
  );
}
