import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../../../core/schemas/session.ts';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTop: 'none' },
  },
  words: { flex: '1 1 200px', minWidth: 0, display: 'flex', flexDirection: 'column' },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  detail: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

/** Where a user is signed in. */
export function SessionList({ sessions, onEnd }: { sessions: Session[]; onEnd: (id: string) => void }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const format = useFormat();
  return (
    <ul className={styles.list}>
      {sessions.map(({ id, current, address, user_agent: agent, seen_at: seen }) => (
        <li key={id} className={styles.row}>
          <span className={styles.words}>
            <span className={styles.head}>
              <Text weight="semibold">{programOf(agent) || t('session.unknown')}</Text>
              {current && (
                <Badge appearance="tint" color="success">
                  {t('session.current')}
                </Badge>
              )}
            </span>
            <Text size={200} className={styles.detail}>
              {t('session.detail', { address, time: format.time(seen) })}
            </Text>
          </span>
          {!current && (
            <Button
              aria-label={t('session.endLabel', { program: programOf(agent), address })}
              onClick={() => onEnd(id)}
            >
              {t('session.end')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The first that fits: most browsers name others, too. */
const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\/|Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** What people call what they signed in with; whatever is unknown says itself what it is. */
function programOf(agent: string): string {
  const nameIn = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  return [nameIn(browsers), nameIn(systems)].filter(Boolean).join(' · ') || agent.slice(0, 60);
}
