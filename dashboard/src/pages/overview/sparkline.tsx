import { makeStyles, tokens } from '@fluentui/react-components';

const width = 120;
const height = 28;

const useStyles = makeStyles({
  line: { display: 'block', width: '100%', height: `${height}px`, overflow: 'visible' },
});

interface SparklineProps {
  values: number[];
  color?: string;
  /** The last value is of a time that is not over yet: the way to it is dashed. */
  isSoFar?: boolean;
}

/** The course of a figure, without a scale: the chart of the same figure has one, and readers of the screen have the figure. */
export function Sparkline({ values, color = tokens.colorBrandStroke1, isSoFar = false }: SparklineProps) {
  const styles = useStyles();
  const max = Math.max(...values, 0);
  if (values.length < 2 || max <= 0) return <div className={styles.line} />;
  const step = width / (values.length - 1);
  const points = values.map((value, index) => `${index * step},${height - 2 - (value / max) * (height - 4)}`);
  return (
    <svg className={styles.line} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {(isSoFar ? [points.slice(0, -1), points.slice(-2)] : [points]).map((part, index) => (
        <polyline
          key={index === 0 ? 'course' : 'soFar'}
          points={part.join(' ')}
          fill="none"
          stroke={color}
          strokeWidth={1.5}
          strokeLinejoin="round"
          strokeDasharray={index === 1 ? '3 3' : undefined}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
