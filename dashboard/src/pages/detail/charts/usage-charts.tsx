import { DonutChart, LineChart, ResponsiveContainer } from '@fluentui/react-charts';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../../api/status.ts';
import { useFormat } from '../../../state/format.ts';
import { objectPath } from '../../../state/object-path.ts';
import { callColor, modelColor, tokenColor } from '../chart-color.ts';
import { type Bucket, isSoFar, type UsageSeries } from '../usage-series.ts';
import type { Bar } from '../use-bucket-time.ts';
import { chartHeight, chartMargins, ticksOf, useChartRoom, useChartStyles } from './chart-frame.ts';
import { ChartLegend, type ChartPart } from './chart-legend.tsx';
import { StackedBars } from './stacked-bars.tsx';

/** What the rows behind a part of a chart have in common. */
export interface Drill {
  bucket?: Bucket;
  model?: string;
}

interface ChartProps {
  series: UsageSeries;
  /** How a bar's time reads. */
  timeOf: (bar: Bar) => string;
  onDrill: (drill: Drill) => void;
}

/** Spend over time, a color for each model; a click leads to the log rows behind it. */
export function SpendChart({ series, timeOf, onDrill }: ChartProps) {
  const { t } = useTranslation('detail');
  const format = useFormat();
  const { quota_per_unit: quotaPerUnit, display_in_currency: inCurrency } = useStatus();
  const scale = inCurrency && quotaPerUnit > 0 ? quotaPerUnit : 1;
  return (
    <StackedBars
      title={t('chart.spend')}
      buckets={series.buckets}
      parts={modelParts(series, t('others'))}
      amountOf={(bucket, name) => bucket.models.get(name)?.quota ?? 0}
      textOf={format.cost}
      scale={scale}
      axisText={(value) => (scale === 1 ? format.number(value) : axisDollars(value))}
      timeOf={timeOf}
      onDrill={(bucket, model) => onDrill({ bucket, model })}
    />
  );
}

/** `$0.20` beside `$0.05`, and `$0` and `$15`. */
function axisDollars(value: number): string {
  const text = String(Number(value.toPrecision(3)));
  return `$${/\.\d$/.test(text) ? `${text}0` : text}`;
}

/** More points than this are a line, not dots on one. */
const maxDots = 31;

/** One line over time; dashed until the time that is not over yet. */
export function PaceChart({ series, timeOf, kind }: Omit<ChartProps, 'onDrill'> & { kind: 'count' | 'tokens' }) {
  const { t } = useTranslation('detail');
  const styles = useChartStyles();
  const format = useFormat();
  const { ref, maxTicks } = useChartRoom();
  const title = t(`chart.${kind}`);
  const color = kind === 'count' ? callColor : tokenColor;
  const pointOf = (bucket: Bucket) => ({
    x: new Date(bucket.start * 1000),
    y: bucket[kind],
    xAxisCalloutData: timeOf(bucket),
    yAxisCalloutData: format.number(bucket[kind]),
  });
  const { buckets } = series;
  const line = { legend: title, color, hideNonActiveDots: buckets.length > maxDots };
  const over = buckets.filter((bucket) => !isSoFar(bucket));
  const soFar = buckets.filter(isSoFar);
  // The dashes begin where the line ends, where the line itself tells the figure.
  const joint = over.slice(-1).map((bucket) => ({ ...pointOf(bucket), hideCallout: true }));
  return (
    <>
      <div ref={ref} className={styles.chart}>
        <ResponsiveContainer>
          <LineChart
            height={chartHeight}
            hideLegend
            data={{
              chartTitle: title,
              lineChartData: [
                { ...line, lineOptions: { strokeWidth: 2 }, data: over.map(pointOf) },
                {
                  ...line,
                  lineOptions: { strokeWidth: 2, strokeDasharray: '5 4' },
                  data: soFar.length > 0 ? [...joint, ...soFar.map(pointOf)] : [],
                },
              ].filter(({ data }) => data.length > 0),
            }}
            customDateTimeFormatter={(time) => timeOf({ start: time.getTime() / 1000 })}
            yAxisTickFormat={(value: number) => format.number(value)}
            yAxisTickCount={4}
            roundedTicks
            tickValues={ticksOf(buckets, maxTicks)}
            margins={chartMargins}
          />
        </ResponsiveContainer>
      </div>
      <ChartLegend parts={[]} soFar={soFar.length > 0 ? 'line' : undefined} />
    </>
  );
}

/** Which model the money went to. */
export function ShareChart({ series, onDrill }: Omit<ChartProps, 'timeOf'>) {
  const { t } = useTranslation('detail');
  const styles = useChartStyles();
  const format = useFormat();
  const parts = modelParts(series, t('others'));
  return (
    <>
      <div className={styles.chart}>
        <ResponsiveContainer>
          <DonutChart
            height={chartHeight}
            innerRadius={70}
            hideLabels
            hideLegend
            valueInsideDonut={format.quota(series.total.quota)}
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
      <ChartLegend parts={parts} />
    </>
  );
}

/** The colors of models and where each model is looked at; what is left over has no page. */
function modelParts({ models }: UsageSeries, others: string): ChartPart[] {
  return models.map(({ name }) => ({
    key: name,
    name: name || others,
    color: modelColor(name),
    ...(name && { to: objectPath.model(name) }),
  }));
}
