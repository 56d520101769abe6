import { makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components';

interface FigureRowProps {
  /** Undefined while it is being read. */
  figures: { label: string; text: string | undefined }[];
}

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(90px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
    margin: 0,
  },
  // All figures of a line stand at one height, also under a label that needs two lines.
  figure: {
    display: 'grid',
    gridRow: 'span 2',
    gridTemplateRows: 'subgrid',
    rowGap: tokens.spacingVerticalXXS,
    alignItems: 'start',
    minWidth: 0,
  },
  label: { alignSelf: 'end', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  text: { margin: 0, fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' },
});

/** A few figures side by side, each under what it counts. */
export function FigureRow({ figures }: FigureRowProps) {
  const styles = useStyles();
  return (
    <dl className={styles.row}>
      {figures.map(({ label, text }) => (
        <div key={label} className={styles.figure}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.text}>
            {text === undefined ? (
              <Skeleton aria-label={label}>
                <SkeletonItem size={28} />
              </Skeleton>
            ) : (
              <Text size={500} weight="semibold">
                {text}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
