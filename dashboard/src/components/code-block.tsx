import { makeStyles, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useCopy } from './feedback/copy.tsx';
import { IconButton } from './icon-button.tsx';

const useStyles = makeStyles({
  frame: { position: 'relative', minWidth: 0 },
  code: {
    margin: 0,
    padding: tokens.spacingHorizontalM,
    paddingRight: '48px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    overflow: 'auto',
    maxHeight: '50vh',
  },
  copy: { position: 'absolute', top: '4px', right: '4px', backgroundColor: tokens.colorNeutralBackground3 },
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
