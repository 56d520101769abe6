import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { CircleHalfFill16Filled } from '@fluentui/react-icons/svg/circle-half-fill';
import { DismissCircle16Filled } from '@fluentui/react-icons/svg/dismiss-circle';
import { Prohibited16Filled } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import { callGroupOf } from '../../../../core/schemas/call-group.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { TypeBadge } from './log-badge.tsx';
import { readRecord } from './log-record.ts';

const useStyles = makeStyles({
  state: { display: 'inline-flex', alignItems: 'center', gap: '6px', whiteSpace: 'nowrap', minWidth: 0 },
  icon: { display: 'flex', flexShrink: 0 },
  figure: { fontVariantNumeric: 'tabular-nums' },
  ok: { color: tokens.colorStatusSuccessForeground1 },
  cut: { color: tokens.colorStatusWarningForeground3 },
  refused: { color: tokens.colorStatusWarningForeground3 },
  failed: { color: tokens.colorStatusDangerForeground1 },
});

const icons = {
  ok: <CheckmarkCircle16Filled />,
  cut: <CircleHalfFill16Filled />,
  refused: <Prohibited16Filled />,
  failed: <DismissCircle16Filled />,
};

/** How a request ended, as HTTP status, word, symbol and color; what is no request says of what kind it is. */
export function LogState({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const record = readRecord(log);
  if ((log.type !== logType.consume && log.type !== logType.error) || record.channel_test) {
    return <TypeBadge log={record.channel_test ? { ...log, type: logType.test } : log} />;
  }
  const isPaid = log.type === logType.consume;
  const outcome = record.outcome ?? (isPaid ? 'complete' : 'error');
  const group = callGroupOf(isPaid, outcome);
  const status = record.status ?? (isPaid ? 200 : undefined);
  const tries = record.admin_info?.attempts?.length ?? 0;
  const word = t([`ended.${outcome}`, isPaid ? 'ended.broken' : 'ended.error']);
  return (
    <span className={styles.state} title={[status, word].filter(Boolean).join(' ')}>
      <span className={mergeClasses(styles.icon, styles[group])}>{icons[group]}</span>
      <Text size={200} wrap={false} truncate className={styles.figure}>
        {status} {word}
        {isPaid && tries > 1 && (
          <span title={record.rescued ? t('receipt.rescued') : t('retried', { count: tries - 1 })}> ↻{tries - 1}</span>
        )}
      </Text>
    </span>
  );
}
