import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Audit } from '../../../../core/schemas/audit.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { AuditSentence } from '../audit/audit-sentence.tsx';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalS, margin: 0, padding: 0, listStyleType: 'none' },
  item: { display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** The latest entries of the audit log. */
export function ChangeCard({ changes }: { changes: Audit[] }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  const relative = useRelativeTime();
  const mayReadAll = isRoot(sessionUser.use());
  return (
    <SectionCard
      title={t('latest.title')}
      aside={mayReadAll ? <TextLink to="/audit">{t('latest.all')}</TextLink> : undefined}
    >
      {changes.length === 0 ? (
        <Text className={styles.quiet}>{t('latest.none')}</Text>
      ) : (
        <ul className={styles.list}>
          {changes.map(({ id, sentence, created_at: time }) => (
            <li key={id} className={styles.item}>
              <AuditSentence sentence={sentence} />
              <Text size={200} className={styles.quiet} title={format.time(time)}>
                {relative(time)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}
