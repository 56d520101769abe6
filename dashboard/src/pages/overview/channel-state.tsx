import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { Circle16Regular } from '@fluentui/react-icons/svg/circle';
import { DismissCircle16Filled } from '@fluentui/react-icons/svg/dismiss-circle';
import { QuestionCircle16Regular } from '@fluentui/react-icons/svg/question-circle';
import { Warning16Filled } from '@fluentui/react-icons/svg/warning';
import { useTranslation } from 'react-i18next';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';

const useStyles = makeStyles({
  state: { display: 'inline-flex', alignItems: 'center', gap: '6px', whiteSpace: 'nowrap' },
  icon: { display: 'flex' },
  working: { color: tokens.colorStatusSuccessForeground1 },
  slow: { color: tokens.colorStatusWarningForeground3 },
  failing: { color: tokens.colorStatusDangerForeground1 },
  unknown: { color: tokens.colorNeutralForeground3 },
  off: { color: tokens.colorNeutralForeground3 },
});

const icons = {
  working: <CheckmarkCircle16Filled />,
  slow: <Warning16Filled />,
  failing: <DismissCircle16Filled />,
  unknown: <QuestionCircle16Regular />,
  off: <Circle16Regular />,
};

/** Word, symbol and color. */
export function ChannelState({ state }: { state: ChannelCondition['state'] }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  return (
    <span className={styles.state}>
      <span className={mergeClasses(styles.icon, styles[state])}>{icons[state]}</span>
      <Text size={200} wrap={false}>
        {t(`state.${state}`)}
      </Text>
    </span>
  );
}
