import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { Circle16Regular } from '@fluentui/react-icons/svg/circle';
import { DismissCircle16Filled } from '@fluentui/react-icons/svg/dismiss-circle';
import { QuestionCircle16Regular } from '@fluentui/react-icons/svg/question-circle';
import { Warning16Filled } from '@fluentui/react-icons/svg/warning';
import type { ReactNode } from 'react';

/** Green is only what was proven, gray what is not known or off. */
export type StateTone = 'good' | 'warning' | 'danger' | 'unknown' | 'off';

const useStyles = makeStyles({
  // As high as a line of the texts beside it.
  state: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    height: tokens.lineHeightBase300,
    whiteSpace: 'nowrap',
  },
  line: { display: 'inline', overflowWrap: 'anywhere' },
  icon: { display: 'flex', flexShrink: 0 },
  inline: { display: 'inline-flex', verticalAlign: 'text-bottom', marginInlineEnd: '6px' },
  good: { color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground3 },
  danger: { color: tokens.colorStatusDangerForeground1 },
  unknown: { color: tokens.colorNeutralForeground3 },
  off: { color: tokens.colorNeutralForeground3 },
});

const icons = {
  good: <CheckmarkCircle16Filled />,
  warning: <Warning16Filled />,
  danger: <DismissCircle16Filled />,
  unknown: <QuestionCircle16Regular />,
  off: <Circle16Regular />,
};

/** Word, symbol and color, for a cell. */
export function StateMark({ tone, word }: { tone: StateTone; word: string }) {
  const styles = useStyles();
  return (
    <span className={styles.state}>
      <span className={mergeClasses(styles.icon, styles[tone])}>{icons[tone]}</span>
      <Text size={200} wrap={false}>
        {word}
      </Text>
    </span>
  );
}

/** The same as a sentence, which begins with the word: "Failing since 14:02: the key was refused." */
export function StateLine({ tone, word, children }: { tone: StateTone; word: string; children?: ReactNode }) {
  const styles = useStyles();
  return (
    <span className={styles.line}>
      <span className={mergeClasses(styles.icon, styles.inline, styles[tone])}>{icons[tone]}</span>
      <Text weight="semibold">{word}</Text>
      {children && <Text> {children}</Text>}
    </span>
  );
}
