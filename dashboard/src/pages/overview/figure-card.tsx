import { Card, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { cardFrame } from '../../components/card-frame.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { changeOf } from './change-direction.ts';
import { Sparkline } from './sparkline.tsx';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(250px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
    // Beside the navigation, too, two have room.
    '@media (max-width: 1100px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
  card: { ...cardFrame, gap: tokens.spacingVerticalXXS, minWidth: 0 },
  label: { color: tokens.colorNeutralForeground3 },
  figure: { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' },
  line: { display: 'flex', alignItems: 'baseline', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalS },
});

export interface Figure {
  key: string;
  text: string;
  /** Exact where the text is rounded. */
  exact?: string;
  /** Beside which it stands; without it nothing is compared. */
  compared?: { now: number; before: number; with: string; isShare?: boolean };
  /** Beneath. */
  hint?: string;
  course?: number[];
  /** The last one of the course will grow still. */
  isSoFar?: boolean;
  /** What is behind the figure. */
  to?: string;
}

/** A few figures, each beside the same one of the time before. */
export function FigureCards({ figures }: { figures: Figure[] }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  return (
    <div className={styles.row}>
      {figures.map(({ key, text, exact, compared, hint, course, isSoFar = false, to }) => (
        <Card key={key} className={styles.card} role="group" aria-label={t(`figure.${key}`)}>
          <Text size={200} className={styles.label}>
            {to ? <TextLink to={to}>{t(`figure.${key}`)}</TextLink> : t(`figure.${key}`)}
          </Text>
          <Text size={600} weight="semibold" className={styles.figure} title={exact}>
            {text}
          </Text>
          {compared && <Change {...compared} />}
          {hint && (
            <Text size={200} className={styles.label}>
              {hint}
            </Text>
          )}
          {course && <Sparkline values={course} isSoFar={isSoFar} />}
        </Card>
      ))}
    </div>
  );
}

/** `▲ 12 % vs. yesterday`. More is neither good nor bad: it has no color. */
export function Change({ now, before, with: comparedWith, isShare }: NonNullable<Figure['compared']>) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  return (
    <span className={styles.line}>
      <ChangeText now={now} before={before} isShare={isShare ?? false} />
      <Text size={200} className={styles.label}>
        {t(`compare.${comparedWith}`)}
      </Text>
    </span>
  );
}

/** How a figure differs from what it was; a share differs by percentage points. */
export function ChangeText({ now, before, isShare = false }: { now: number; before: number; isShare?: boolean }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  const { direction, share } = changeOf(now, before, isShare);
  const percent = isShare
    ? t('points', { value: format.number(Math.round(Math.abs(share) * 1000) / 10) })
    : format.percent(Math.abs(share));
  const times = format.number(Math.round(share + 1));
  return (
    <Text size={200} className={styles.label}>
      <span aria-hidden="true">{t(`change.${direction}`, { percent, times })}</span>
      <span style={hidden}>{t(`changeInWords.${direction}`, { percent, times })}</span>
    </Text>
  );
}

/** Read out, not shown. */
const hidden = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;
