import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle20Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { useTranslation } from 'react-i18next';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { type LogSelection, objectPath, requestsPath } from '../../state/object-path.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalM, margin: 0, padding: 0, listStyleType: 'none' },
  item: { display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere', minWidth: 0 },
  quiet: { color: tokens.colorNeutralForeground3 },
  none: { display: 'flex', gap: tokens.spacingHorizontalS },
  good: { display: 'flex', flexShrink: 0, color: tokens.colorStatusSuccessForeground1 },
});

/** The latest failed requests and why; the request's own page of the log is one click away. */
export function FailureCard({ failures, selection = {} }: { failures: Log[]; selection?: LogSelection }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  const relative = useRelativeTime();
  const mayReadUsers = isAdmin(sessionUser.use());
  return (
    <SectionCard
      title={t('failure.title')}
      aside={<TextLink to={requestsPath(selection, logType.error)}>{t('failure.all')}</TextLink>}
    >
      {failures.length === 0 ? (
        <div className={styles.none}>
          <span className={styles.good}>
            <CheckmarkCircle20Filled />
          </span>
          <Text>{t('failure.none')}</Text>
        </div>
      ) : (
        <ul className={styles.list}>
          {failures.map(
            ({ id, request_id: request, created_at: time, user_id: userId, username, model_name: model, content }) => (
              <li key={id} className={styles.item}>
                <Text size={200} className={styles.quiet}>
                  {request ? (
                    <TextLink to={`/log?range=all&request_id=${encodeURIComponent(request)}`}>
                      {relative(time)}
                    </TextLink>
                  ) : (
                    <span title={format.time(time)}>{relative(time)}</span>
                  )}{' '}
                  {mayReadUsers && <TextLink to={objectPath.user(userId)}>{username}</TextLink>}{' '}
                  {model && <TextLink to={objectPath.model(model)}>{model}</TextLink>}
                </Text>
                <Text size={200}>{content}</Text>
              </li>
            ),
          )}
        </ul>
      )}
    </SectionCard>
  );
}
