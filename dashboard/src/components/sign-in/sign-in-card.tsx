import { Image, makeStyles, Text, tokens, typographyStyles } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useStatus } from '../../api/status.ts';
import { useFirstScreen } from '../../state/first-screen.ts';
import { usePageTitle } from '../page.tsx';

const useStyles = makeStyles({
  place: {
    flex: '1 0 auto',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: '32px 16px',
  },
  card: {
    width: '100%',
    maxWidth: '400px',
    padding: '32px',
    boxSizing: 'border-box',
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXL,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow4,
  },
  head: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalM,
    textAlign: 'center',
  },
  title: { ...typographyStyles.title2, margin: 0, outlineStyle: 'none' },
  purpose: { textAlign: 'center', textWrap: 'balance', color: tokens.colorNeutralForeground3 },
  foot: { display: 'flex', justifyContent: 'space-between', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

interface SignInCardProps {
  title: string;
  purpose?: string;
  children: ReactNode;
  /** Links to the related pages. */
  links?: ReactNode;
}

/** The frame of every page before the console: signing in, registering, a new password. */
export function SignInCard({ title, purpose, children, links }: SignInCardProps) {
  const styles = useStyles();
  const { logo } = useStatus();
  useFirstScreen(true);
  const titleRef = usePageTitle(title);
  return (
    <div className={styles.place}>
      <div className={styles.card}>
        <div className={styles.head}>
          <Image src={logo || '/favicon.svg'} alt="" width={48} height={48} fit="contain" />
          <h1 ref={titleRef} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
          {purpose && <Text className={styles.purpose}>{purpose}</Text>}
        </div>
        {children}
        {links && <div className={styles.foot}>{links}</div>}
      </div>
    </div>
  );
}
