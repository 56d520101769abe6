import {
  DonutChart,
  LineChart,
  ResponsiveContainer,
  VerticalStackedBarChart,
  type VSChartDataPoint,
} from '@fluentui/react-charts';
import { makeStyles } from '@fluentui/react-components';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { useFormat } from '../../state/format.ts';
import { callColor, modelColor, tokenColor } from './chart-color.ts';
import type { Bucket, UsageSeries } from './usage-series.ts';

/** What the rows behind a part of a chart have in common. */
export interface Drill {
  bucket?: Bucket;
  model?: string;
}

interface ChartProps {
  series: UsageSeries;
  /** How a bar's time reads. */
  timeOf: (bucket: Bucket) => string;
  onDrill: (drill: Drill) => void;
}

/** A piece of a bar that knows what it stands for. */
interface Piece extends VSChartDataPoint {
  drill: Drill;
}

const height = 280;

/** Room for `$1,000.00` beside the axis. */
const margins = { left: 64, right: 24, top: 16, bottom: 36 };

const useStyles = makeStyles({
  chart: {
    width: '100%',
    minWidth: 0,
    height: `${height}px`,
    // Names of models are spelled as they are.
    '& button *': { textTransform: 'none' },
  },
});

/** A time below an axis, with room to its neighbor. */
const tickWidth = 110;

/** As many times as fit below this chart side by side. */
function useTicks() {
  const ref = useRef<HTMLDivElement>(null);
  const [max, setMost] = useState(3);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const room = (entry?.contentRect.width ?? 0) - margins.left - margins.right;
      setMost(Math.max(2, Math.floor(room / tickWidth)));
    });
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, max };
}

/** Below bars that there are, and not below every one. */
function ticksOf({ buckets }: UsageSeries, max: number): Date[] {
  const step = Math.ceil(buckets.length / max);
  return buckets.filter((_bucket, index) => index % step === 0).map(({ start }) => new Date(start * 1000));
}

/** Spend over time, a color for each model; a click leads to the log rows behind it. */
export function SpendChart({ series, timeOf, onDrill }: ChartProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const { quota_per_unit: quotaPerUnit, display_in_currency: inCurrency } = useStatus();
  const { ref, max } = useTicks();
  const scale = inCurrency && quotaPerUnit > 0 ? quotaPerUnit : 1;
  return (
    <div ref={ref} className={styles.chart}>
      <ResponsiveContainer>
        <VerticalStackedBarChart
          chartTitle={t('chart.spend')}
          height={height}
          hideLabels
          barWidth="auto"
          maxBarWidth={40}
          roundCorners
          data={series.buckets.map((bucket) => ({
            xAxisPoint: new Date(bucket.start * 1000),
            xAxisCalloutData: timeOf(bucket),
            chartData: series.models.map(({ name }): Piece => {
              const quota = bucket.models.get(name)?.quota ?? 0;
              return {
                legend: name || t('others'),
                data: quota / scale,
                color: modelColor(name),
                xAxisCalloutData: timeOf(bucket),
                yAxisCalloutData: format.cost(quota),
                drill: { bucket, model: name },
              };
            }),
          }))}
          customDateTimeFormatter={(time) => timeOf({ start: time.getTime() / 1000 } as Bucket)}
          yAxisTickFormat={(value: number) => (scale === 1 ? format.number(value) : axisDollars(value))}
          yAxisTickCount={4}
          roundedTicks
          tickValues={ticksOf(series, max)}
          margins={margins}
          legendProps={{ allowFocusOnLegends: true, overflowText: t('more') }}
          onBarClick={(_event, data) => {
            const piece = ('chartData' in data ? data.chartData[0] : data) as Piece | undefined;
            if (piece) onDrill('chartData' in data ? { bucket: piece.drill.bucket } : piece.drill);
          }}
        />
      </ResponsiveContainer>
    </div>
  );
}

/** `$0.20` beside `$0.05`, and `$0` and `$15`. */
function axisDollars(value: number): string {
  const text = String(Number(value.toPrecision(3)));
  return `$${/\.\d$/.test(text) ? `${text}0` : text}`;
}

/** More points than this are a line, not dots on one. */
const maxDots = 31;

/** One line over time. */
export function PaceChart({ series, timeOf, kind }: Omit<ChartProps, 'onDrill'> & { kind: 'count' | 'tokens' }) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  const { ref, max } = useTicks();
  const title = t(`chart.${kind}`);
  return (
    <div ref={ref} className={styles.chart}>
      <ResponsiveContainer>
        <LineChart
          height={height}
          hideLegend
          data={{
            chartTitle: title,
            lineChartData: [
              {
                legend: title,
                color: kind === 'count' ? callColor : tokenColor,
                lineOptions: { strokeWidth: 2 },
                hideNonActiveDots: series.buckets.length > maxDots,
                data: series.buckets.map((bucket) => ({
                  x: new Date(bucket.start * 1000),
                  y: bucket[kind],
                  xAxisCalloutData: timeOf(bucket),
                  yAxisCalloutData: format.number(bucket[kind]),
                })),
              },
            ],
          }}
          customDateTimeFormatter={(time) => timeOf({ start: time.getTime() / 1000 } as Bucket)}
          yAxisTickFormat={(value: number) => format.number(value)}
          yAxisTickCount={4}
          roundedTicks
          tickValues={ticksOf(series, max)}
          margins={margins}
        />
      </ResponsiveContainer>
    </div>
  );
}

/** Which model the money went to. */
export function ShareChart({ series, onDrill }: Omit<ChartProps, 'timeOf'>) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const format = useFormat();
  return (
    <div className={styles.chart}>
      <ResponsiveContainer>
        <DonutChart
          height={height}
          innerRadius={70}
          hideLabels
          valueInsideDonut={format.quota(series.total.quota)}
          legendProps={{ allowFocusOnLegends: true, overflowText: t('more') }}
          data={{
            chartData: series.models.map(({ name, sums }) => ({
              legend: name || t('others'),
              data: sums.quota,
              color: modelColor(name),
              yAxisCalloutData: format.cost(sums.quota),
              onClick: () => onDrill({ model: name }),
            })),
          }}
        />
      </ResponsiveContainer>
    </div>
  );
}
