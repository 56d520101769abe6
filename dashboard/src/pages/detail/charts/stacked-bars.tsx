import { ResponsiveContainer, VerticalStackedBarChart, type VSChartDataPoint } from '@fluentui/react-charts';
import { Text } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { type Bucket, isSoFar } from '../usage-series.ts';
import type { Bar } from '../use-bucket-time.ts';
import { chartHeight, chartMargins, ticksOf, useChartRoom, useChartStyles } from './chart-frame.ts';
import { ChartLegend, type ChartPart, Swatch } from './chart-legend.tsx';
import { useHatch } from './so-far.tsx';
import { StickyAxis } from './sticky-axis.tsx';

interface StackedBarsProps<B, K extends string> {
  title: string;
  buckets: B[];
  parts: (ChartPart & { key: K })[];
  amountOf: (bucket: B, key: K) => number;
  /** A value as it is told, and as it stands beside the axis, where it is divided by `scale`. */
  textOf: (value: number) => string;
  axisText: (value: number) => string;
  scale?: number;
  timeOf: (bar: Bar) => string;
  onDrill: (bucket: B, key: K) => void;
}

/** A piece of a bar that knows what it stands for. */
interface Piece<B, K> extends VSChartDataPoint {
  bucket: B;
  key: K;
}

/** A bar for each time, made of parts; pointing at one shows all of them and their total, a click leads to what is behind it. */
export function StackedBars<B extends Pick<Bucket, 'start' | 'end'>, K extends string>(props: StackedBarsProps<B, K>) {
  const { title, buckets, parts, amountOf, textOf, axisText, scale = 1, timeOf, onDrill } = props;
  const styles = useChartStyles();
  const { hatch, fillOf } = useHatch(parts.map(({ color }) => color));
  const hasSoFar = buckets.some(isSoFar);
  const { ref, isWide, needed, maxTicks } = useChartRoom(buckets.length);
  const chart = (
    <div className={styles.chart} style={isWide ? { width: needed } : undefined}>
      <ResponsiveContainer>
        <VerticalStackedBarChart
          chartTitle={title}
          height={chartHeight}
          hideLabels
          hideLegend
          barWidth="auto"
          maxBarWidth={40}
          barGapMax={1}
          xAxisInnerPadding={0.25}
          data={buckets.map((bucket) => ({
            xAxisPoint: new Date(bucket.start * 1000),
            xAxisCalloutData: timeOf(bucket),
            chartData: parts.map(({ key, name, color }): Piece<B, K> => {
              const value = amountOf(bucket, key);
              return {
                legend: name,
                data: value / scale,
                color: isSoFar(bucket) ? fillOf(color) : color,
                xAxisCalloutData: timeOf(bucket),
                yAxisCalloutData: textOf(value),
                bucket,
                key,
              };
            }),
          }))}
          customDateTimeFormatter={(time) => timeOf({ start: time.getTime() / 1000 })}
          yAxisTickFormat={axisText}
          yAxisTickCount={4}
          roundedTicks
          tickValues={ticksOf(buckets, maxTicks)}
          margins={chartMargins}
          onRenderCalloutPerDataPoint={(point) => <Callout {...props} piece={point as Piece<B, K> | undefined} />}
          onBarClick={(_event, data) => {
            const piece = ('chartData' in data ? data.chartData[0] : data) as Piece<B, K> | undefined;
            if (piece) onDrill(piece.bucket, piece.key);
          }}
        />
      </ResponsiveContainer>
    </div>
  );
  return (
    <>
      <div ref={ref}>
        {hasSoFar && hatch}
        {isWide ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section ref={showEnd} className={styles.scroll} aria-label={title} tabIndex={0}>
            <div style={{ width: needed }}>
              <StickyAxis />
              {chart}
            </div>
          </section>
        ) : (
          chart
        )}
      </div>
      <ChartLegend parts={parts} soFar={hasSoFar ? 'bar' : undefined} />
    </>
  );
}

/** The latest time is what is looked for first. */
function showEnd(element: HTMLElement | null): void {
  if (element) element.scrollLeft = element.scrollWidth;
}

type CalloutProps<B, K extends string> = StackedBarsProps<B, K> & { piece: Piece<B, K> | undefined };

function Callout<B extends Pick<Bucket, 'start' | 'end'>, K extends string>({
  piece,
  parts,
  amountOf,
  textOf,
  timeOf,
}: CalloutProps<B, K>) {
  const { t } = useTranslation('detail');
  const styles = useChartStyles();
  if (!piece) return null;
  const lines = parts.map((part) => ({ ...part, value: amountOf(piece.bucket, part.key) }));
  const total = lines.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles.callout}>
      <Text size={200} className={styles.quiet}>
        {timeOf(piece.bucket)}
      </Text>
      <div className={styles.line}>
        <Text size={200} weight="semibold" className={styles.name}>
          {t('total')}
        </Text>
        <Text size={200} weight="semibold">
          {textOf(total)}
        </Text>
      </div>
      {lines
        .filter(({ value }) => value > 0)
        .map(({ key, name, color, value }) => (
          <div key={key} className={styles.line}>
            <Swatch color={color} />
            <Text size={200} weight={key === piece.key ? 'bold' : 'regular'} className={styles.name}>
              {name}
            </Text>
            <Text size={200} weight={key === piece.key ? 'bold' : 'regular'}>
              {textOf(value)}
            </Text>
          </div>
        ))}
    </div>
  );
}
