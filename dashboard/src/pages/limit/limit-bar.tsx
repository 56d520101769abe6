import { makeStyles, mergeClasses, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { DismissCircle16Filled } from '@fluentui/react-icons/svg/dismiss-circle';
import { Warning16Filled } from '@fluentui/react-icons/svg/warning';
import { useTranslation } from 'react-i18next';
import type { Limit, LimitUsage } from '../../../../core/schemas/limit.ts';
import { limitLevel, usedShare } from '../../../../core/schemas/limit-subject.ts';
import { useFormat } from '../../state/format.ts';
import { useLimitText } from './use-limit-text.ts';

const useStyles = makeStyles({
  bar: { display: 'flex', flexDirection: 'column', gap: '6px', width: '100%', minWidth: 0 },
  words: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: tokens.spacingHorizontalM },
  figure: { fontVariantNumeric: 'tabular-nums' },
  level: { display: 'inline-flex', alignItems: 'center', gap: '4px', fontVariantNumeric: 'tabular-nums' },
  icon: { display: 'flex' },
  near: { color: tokens.colorStatusWarningForeground3 },
  reached: { color: tokens.colorStatusDangerForeground1 },
});

const colors = { ok: 'brand', near: 'warning', reached: 'error' } as const;
const icons = { ok: undefined, near: <Warning16Filled />, reached: <DismissCircle16Filled /> };

/** What a limit says, and of whom. */
export type ShownLimit = Pick<Limit, 'subject_kind' | 'subject' | 'measure' | 'period' | 'amount'>;

interface LimitBarProps {
  limit: ShownLimit;
  use: Pick<LimitUsage, 'subject' | 'subject_name' | 'used' | 'held'>;
}

/** How much is used, as figures, as a share with a word where it is much, and as a bar. */
export function LimitBar({ limit, use }: LimitBarProps) {
  const { t } = useTranslation('limit');
  const styles = useStyles();
  const format = useFormat();
  const { amount, whole } = useLimitText();
  const share = usedShare(limit, use);
  const level = limitLevel(share);
  const text = t('usedOf', { used: amount(limit, use.used + use.held), total: amount(limit, limit.amount) });
  const percent = t(`level.${level}`, { percent: format.percent(Math.floor(share * 1000) / 1000) });
  return (
    <div className={styles.bar}>
      <div className={styles.words}>
        <Text size={200} className={styles.figure}>
          {text}
        </Text>
        <Text size={200} className={styles.level}>
          {level !== 'ok' && <span className={mergeClasses(styles.icon, styles[level])}>{icons[level]}</span>}
          {percent}
        </Text>
      </div>
      <ProgressBar
        aria-label={t('whole', { subject: whole({ ...limit, ...use }), rule: text })}
        thickness="medium"
        value={Math.min(1, share)}
        color={colors[level]}
      />
    </div>
  );
}
