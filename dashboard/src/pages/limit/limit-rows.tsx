import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnLimitUsage } from '../../../../core/schemas/limit.ts';
import { LimitBar, type ShownLimit } from './limit-bar.tsx';
import { Resets } from './resets.tsx';
import { useLimitText } from './use-limit-text.ts';

export interface LimitRow {
  key: string;
  limit: ShownLimit;
  /** Without figures where others use it, too; undefined where it is not known. */
  use: OwnLimitUsage | undefined;
  /** Whose it is, where a list has limits of several. */
  name?: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
}

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(340px, 100%), 1fr))',
    gap: `${tokens.spacingVerticalXL} ${tokens.spacingHorizontalXXXL}`,
  },
  item: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, minWidth: 0 },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minHeight: '32px' },
  words: {
    flex: '1 1 0',
    minWidth: 0,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
  },
  name: { overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** Limits with bars of their use, where they are a part of a page. */
export function LimitRows({ label, rows }: { label: string; rows: LimitRow[] }) {
  const styles = useStyles();
  const { rule } = useLimitText();
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map(({ key, limit, use, name, badges, actions }) => (
        <li key={key} className={styles.item}>
          <div className={styles.head}>
            <span className={styles.words}>
              <Text weight="semibold">{rule(limit)}</Text>
              {name && <Text className={styles.name}>{name}</Text>}
              {badges}
            </span>
            {actions}
          </div>
          <Use limit={limit} use={use} />
        </li>
      ))}
    </ul>
  );
}

function Use({ limit, use }: Pick<LimitRow, 'limit' | 'use'>) {
  const { t } = useTranslation('limit');
  const styles = useStyles();
  const { amount } = useLimitText();
  const { used, held, remaining } = use ?? {};
  if (use === undefined || used === undefined || held === undefined || remaining === undefined) {
    return (
      <Text size={200} className={styles.quiet}>
        {use ? <SharedUse use={use} /> : t('useUnknown')}
      </Text>
    );
  }
  return (
    <>
      <LimitBar limit={limit} use={{ ...use, used, held }} />
      <Text size={200} className={styles.quiet}>
        {t('left', { amount: amount(limit, remaining) })}
        {held > 0 && ` · ${t('reserved', { amount: amount(limit, held) })}`}
        {use.resets_at > 0 && ' · '}
        <Resets at={use.resets_at} isSentence />
      </Text>
    </>
  );
}

/** How much the others use is not said. */
function SharedUse({ use: { exhausted, resets_at } }: { use: OwnLimitUsage }) {
  const { t } = useTranslation('limit');
  return (
    <>
      {t('shared.note')} · {t(exhausted ? 'shared.exhausted' : 'shared.available')}
      {resets_at > 0 && ' · '}
      <Resets at={resets_at} isSentence />
    </>
  );
}
