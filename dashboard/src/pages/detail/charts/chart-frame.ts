import { makeStyles, tokens } from '@fluentui/react-components';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Bucket } from '../usage-series.ts';

export const chartHeight = 260;

/** Room for `$1,000.00` beside the axis. */
export const chartMargins = { left: 64, right: 24, top: 16, bottom: 36 };

export const useChartStyles = makeStyles({
  chart: {
    width: '100%',
    minWidth: 0,
    height: `${chartHeight}px`,
    // Names of models are spelled as they are.
    '& button *': { textTransform: 'none' },
    // What is told at a bar stands over the edges of its chart.
    '& [class*="fui-cart__root"]': { overflow: 'visible', position: 'static' },
  },
  scroll: { overflowX: 'auto', overflowY: 'hidden', minWidth: 0, width: '100%' },
  callout: {
    display: 'grid',
    // The frame that the chart puts around it has room of its own, and little height to give.
    margin: '-8px',
    minWidth: '180px',
    maxWidth: '320px',
    fontVariantNumeric: 'tabular-nums',
  },
  line: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  name: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
  swatch: {
    width: '12px',
    height: '12px',
    borderRadius: tokens.borderRadiusSmall,
    flexShrink: 0,
    // The chart keeps its colors where a contrast theme takes all others away.
    forcedColorAdjust: 'none',
    // Paper has no backgrounds unless they say something.
    printColorAdjust: 'exact',
  },
  legend: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalL,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    // High enough to be hit by a finger.
    '& > li': { minHeight: '24px' },
  },
});

/** A time below an axis, with room to its neighbor. */
const tickWidth = 110;
/** A narrower bar is a hairline that is hard to hit. */
const minStep = 5;

/** How wide a chart must be for its bars, if it has any, and as many times as fit below it side by side. */
export function useChartRoom(bucketCount = 0) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const aside = chartMargins.left + chartMargins.right;
  const needed = bucketCount * minStep + aside;
  const room = Math.max(width, needed) - aside;
  return { ref, isWide: width > 0 && needed > width, needed, maxTicks: Math.max(2, Math.floor(room / tickWidth)) };
}

/** Below bars that there are, and not below every one. */
export function ticksOf(buckets: Pick<Bucket, 'start'>[], max: number): Date[] {
  const step = Math.ceil(buckets.length / max);
  return buckets.filter((_bucket, index) => index % step === 0).map(({ start }) => new Date(start * 1000));
}
