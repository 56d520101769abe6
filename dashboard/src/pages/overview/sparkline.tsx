import { makeStyles, tokens } from '@fluentui/react-components';

const width = 120;
const height = 28;

const useStyles = makeStyles({
  line: { display: 'block', width: '100%', height: `${height}px`, overflow: 'visible' },
});

/** The course of a figure, without a scale: the chart of the same figure has one, and readers of the screen have the figure. */
export function Sparkline({ values, color = tokens.colorBrandStroke1 }: { values: number[]; color?: string }) {
  const styles = useStyles();
  const max = Math.max(...values, 0);
  if (values.length < 2 || max <= 0) return <div className={styles.line} />;
  const step = width / (values.length - 1);
  const points = values.map((value, index) => `${index * step},${height - 2 - (value / max) * (height - 4)}`);
  return (
    <svg className={styles.line} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
