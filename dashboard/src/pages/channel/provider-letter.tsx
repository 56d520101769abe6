import { makeStyles, tokens } from '@fluentui/react-components';
import { useTypeName } from './channel-type.ts';

const useStyles = makeStyles({
  letter: {
    display: 'inline-flex',
    flexShrink: 0,
    alignItems: 'center',
    justifyContent: 'center',
    width: '28px',
    height: '28px',
    borderRadius: tokens.borderRadiusMedium,
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorBrandForeground2,
    backgroundColor: tokens.colorBrandBackground2,
  },
});

/** Stands for a vendor's logo. */
export function ProviderLetter({ type }: { type: number }) {
  const styles = useStyles();
  const typeName = useTypeName();
  return (
    <span className={styles.letter} aria-hidden>
      {[...typeName(type)][0]}
    </span>
  );
}
