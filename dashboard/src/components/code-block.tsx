import { makeStyles, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useCopy } from './feedback/copy.tsx';
import { IconButton } from './icon-button.tsx';

const useStyles = makeStyles({
  frame: {
    display: 'flex',
    alignItems: 'flex-start',
    minWidth: 0,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  code: {
    flex: '1 1 auto',
    minWidth: 0,
    margin: 0,
    padding: tokens.spacingHorizontalM,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    overflow: 'auto',
    maxHeight: '50vh',
  },
  // Beside the text, which would else run on beneath it.
  copy: { flexShrink: 0, margin: '4px' },
});

/** A program or an address to take along. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const styles = useStyles();
  const copy = useCopy();
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {code}
      </pre>
      <IconButton className={styles.copy} label={label} icon={<Copy20Regular />} onClick={() => void copy(code)} />
    </div>
  );
}
