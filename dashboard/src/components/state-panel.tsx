import { makeStyles, mergeClasses, Subtitle1, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

interface StatePanelProps {
  icon?: ReactNode;
  title: string;
  text?: string;
  action?: ReactNode;
  role?: 'alert';
}

const useStyles = makeStyles({
  panel: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalM,
    padding: '64px 24px',
    textAlign: 'center',
  },
  icon: {
    display: 'flex',
    padding: tokens.spacingHorizontalL,
    fontSize: '32px',
    borderRadius: tokens.borderRadiusCircular,
    color: tokens.colorBrandForeground2,
    backgroundColor: tokens.colorBrandBackground2,
  },
  // Fluent's texts begin at the left, whatever is around them.
  words: { textAlign: 'center', overflowWrap: 'anywhere', textWrap: 'balance' },
  text: { color: tokens.colorNeutralForeground3, maxWidth: '48ch' },
});

/** One picture, one sentence, one way on: where a page has nothing to show. */
export function StatePanel({ icon, title, text, action, role }: StatePanelProps) {
  const styles = useStyles();
  return (
    <div className={styles.panel} role={role}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <Subtitle1 as="h2" className={styles.words}>
        {title}
      </Subtitle1>
      {text && <Text className={mergeClasses(styles.words, styles.text)}>{text}</Text>}
      {action}
    </div>
  );
}
