import { makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircle24Filled } from '@fluentui/react-icons/svg/checkmark-circle';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

interface StepCardProps {
  number: number;
  title: string;
  /** What the step is for, or what came of it. */
  text?: ReactNode;
  state: 'done' | 'open' | 'later';
  children?: ReactNode;
}

const useStyles = makeStyles({
  card: {
    display: 'grid',
    gridTemplateColumns: '32px minmax(0, 1fr)',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalL,
    padding: '20px 24px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 600px)': { padding: '16px' },
  },
  open: { boxShadow: tokens.shadow8 },
  mark: { display: 'flex', alignItems: 'center', justifyContent: 'center', alignSelf: 'start', height: '32px' },
  done: { color: tokens.colorStatusSuccessForeground1 },
  number: {
    width: '26px',
    height: '26px',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    borderRadius: tokens.borderRadiusCircular,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground5,
  },
  current: { color: tokens.colorNeutralForegroundOnBrand, backgroundColor: tokens.colorBrandBackground },
  head: { display: 'flex', flexDirection: 'column', justifyContent: 'center', minHeight: '32px', minWidth: 0 },
  title: { margin: 0 },
  quiet: { color: tokens.colorNeutralForeground3 },
  body: { gridColumn: '2', minWidth: 0, '@media (max-width: 600px)': { gridColumn: '1 / span 2' } },
});

/** One step of the first start: opens when the one before it is done, and closes with what came of it. */
export function StepCard({ number, title, text, state, children }: StepCardProps) {
  const { t } = useTranslation('setup');
  const styles = useStyles();
  const id = useId();
  return (
    <section aria-labelledby={id} className={mergeClasses(styles.card, state === 'open' && styles.open)}>
      <span className={mergeClasses(styles.mark, state === 'done' && styles.done)}>
        {state === 'done' ? (
          <CheckmarkCircle24Filled role="img" aria-label={t('done')} />
        ) : (
          <span className={mergeClasses(styles.number, state === 'open' && styles.current)} aria-hidden>
            {number}
          </span>
        )}
      </span>
      <div className={styles.head}>
        <Subtitle2 as="h2" id={id} className={styles.title}>
          {title}
        </Subtitle2>
        {text && state !== 'later' && (
          <Text size={200} className={styles.quiet}>
            {text}
          </Text>
        )}
      </div>
      {children && state !== 'later' && <div className={styles.body}>{children}</div>}
    </section>
  );
}
