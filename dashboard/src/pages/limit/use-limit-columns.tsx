import { Badge, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Limit } from '../../../../core/schemas/limit.ts';
import { isForEach } from '../../../../core/schemas/limit-subject.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { LimitBar } from './limit-bar.tsx';
import { Resets } from './resets.tsx';
import { limitSubjectPath, useLimitText } from './use-limit-text.ts';

/** `isOfOne`: the limits of one token, user, group or model, with what this one has used. */
export function useLimitColumns({ isOfOne }: { isOfOne: boolean }): Column<Limit>[] {
  const { t } = useTranslation('limit');
  const text = useLimitText();
  return useMemo(
    () => [
      { key: 'id', sort: 'id', title: t('field.id'), grow: 0.3, minWidth: 56, isHidden: true, cell: ({ id }) => id },
      {
        key: 'subject',
        sort: 'subject_kind',
        title: t('field.subject'),
        grow: 1.3,
        minWidth: 130,
        name: text.subject,
        isInteractive: true,
        cell: (limit) => <SubjectName limit={limit} />,
      },
      {
        key: 'rule',
        sort: 'measure',
        title: t('field.rule'),
        grow: 60,
        minWidth: 136,
        cell: (limit) => text.rule(limit),
      },
      {
        key: 'used',
        title: t('field.used'),
        grow: 50,
        minWidth: 230,
        isInteractive: true,
        cell: (limit) => <LimitUse limit={limit} isOfOne={isOfOne} />,
      },
      {
        key: 'resets',
        hiddenBelow: 1200,
        title: t('field.resets'),
        grow: 0.7,
        minWidth: 96,
        cell: ({ usage: [use] }) => <Resets at={use?.resets_at ?? 0} />,
      },
      {
        key: 'state',
        title: t('field.state'),
        grow: 0.6,
        minWidth: 88,
        cell: (limit) => <StateBadge limit={limit} />,
      },
    ],
    [t, text, isOfOne],
  );
}

function SubjectName({ limit }: { limit: Limit }) {
  const { subject, nameOf } = useLimitText();
  const { t } = useTranslation('limit');
  const path = limitSubjectPath(limit);
  if (isForEach(limit)) return <Text>{subject(limit)}</Text>;
  return (
    <span>
      {t(`kind.${limit.subject_kind}`)} {path ? <TextLink to={path}>{nameOf(limit)}</TextLink> : nameOf(limit)}
    </span>
  );
}

export function StateBadge({ limit: { enabled } }: { limit: Pick<Limit, 'enabled'> }) {
  const { t } = useTranslation('limit');
  return (
    <Badge appearance="tint" color={enabled ? 'success' : 'informative'}>
      {t(enabled ? 'on' : 'off')}
    </Badge>
  );
}

const useStyles = makeStyles({
  use: { display: 'flex', flexDirection: 'column', gap: '4px', width: '100%', minWidth: 0, padding: '6px 0' },
  quiet: { color: tokens.colorNeutralForeground3 },
  // It stands alone here, elsewhere it ends a sentence.
  sentence: { '::first-letter': { textTransform: 'uppercase' } },
});

interface LimitUseProps {
  limit: Limit;
  isOfOne: boolean;
  hasReset?: boolean;
}

/** Of a limit for each of a kind, the one who has used most stands for all. */
export function LimitUse({ limit, isOfOne, hasReset = false }: LimitUseProps) {
  const { t } = useTranslation('limit');
  const styles = useStyles();
  const { nameOf } = useLimitText();
  const [use] = limit.usage;
  if (!use) {
    return (
      <Text size={200} className={styles.quiet}>
        {t('notUsed')}
      </Text>
    );
  }
  const path = limitSubjectPath({ ...limit, ...use });
  return (
    <div className={styles.use}>
      {isForEach(limit) && (
        <Text size={200} className={styles.quiet}>
          {t(isOfOne ? 'usedBy' : 'mostUsedBy')} {path ? <TextLink to={path}>{nameOf(use)}</TextLink> : nameOf(use)}
        </Text>
      )}
      <LimitBar limit={limit} use={use} />
      {hasReset && (
        <Text size={200} block className={mergeClasses(styles.quiet, styles.sentence)}>
          <Resets at={use.resets_at} isSentence />
        </Text>
      )}
    </div>
  );
}
