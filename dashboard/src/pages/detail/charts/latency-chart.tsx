import { LineChart, ResponsiveContainer } from '@fluentui/react-charts';
import { useTranslation } from 'react-i18next';
import { useDuration } from '../../overview/use-duration.ts';
import { callColor, tokenColor } from '../chart-color.ts';
import { type LatencyBucket, type LatencyKey, latencyKeys } from '../latency-series.ts';
import type { Bar } from '../use-bucket-time.ts';
import { chartHeight, chartMargins, ticksOf, useChartRoom, useChartStyles } from './chart-frame.ts';
import { ChartLegend, type ChartPart } from './chart-legend.tsx';

interface LatencyChartProps {
  buckets: LatencyBucket[];
  timeOf: (bar: Bar) => string;
}

/** More points than this are a line, not dots on one. */
const maxDots = 31;

/** Half of the requests, and all but the slowest, were faster than this: until the end, and until the first token. */
export function LatencyChart({ buckets, timeOf }: LatencyChartProps) {
  const { t } = useTranslation('detail');
  const styles = useChartStyles();
  const duration = useDuration();
  const { ref, maxTicks } = useChartRoom();
  const lines = latencyKeys.filter((key) => buckets.some((bucket) => bucket[key] !== null));
  const parts = lines.map((key): ChartPart & { key: LatencyKey } => ({
    key,
    name: t(`latency.${key}`),
    color: key === 'p50' || key === 'p95' ? callColor : tokenColor,
    isDashed: key === 'p95' || key === 'first_p95',
  }));
  return (
    <>
      <div ref={ref} className={styles.chart}>
        <ResponsiveContainer>
          <LineChart
            height={chartHeight}
            hideLegend
            data={{
              chartTitle: t('chart.latency'),
              lineChartData: parts.map(({ key, name, color, isDashed }) => ({
                legend: name,
                color,
                lineOptions: { strokeWidth: 2, ...(isDashed && { strokeDasharray: '6 4' }) },
                hideNonActiveDots: buckets.length > maxDots,
                data: buckets.flatMap((bucket) => {
                  const value = bucket[key];
                  return value === null
                    ? []
                    : {
                        x: new Date(bucket.start * 1000),
                        y: value,
                        xAxisCalloutData: timeOf(bucket),
                        yAxisCalloutData: duration(value),
                      };
                }),
              })),
            }}
            customDateTimeFormatter={(time) => timeOf({ start: time.getTime() / 1000 })}
            yAxisTickFormat={(value: number) => (value === 0 ? '0' : duration(value))}
            yAxisTickCount={4}
            roundedTicks
            tickValues={ticksOf(buckets, maxTicks)}
            margins={chartMargins}
          />
        </ResponsiveContainer>
      </div>
      <ChartLegend parts={parts} />
    </>
  );
}
