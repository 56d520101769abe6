import { type Attributes, type KeyValue, keyValues } from './attribute.ts';
import { nanoseconds } from './span.ts';

export interface HistogramInput {
  name: string;
  description: string;
  unit: string;
  /** Upper limits of the buckets, rising; a last bucket takes the rest. */
  bounds: readonly number[];
}

interface Series {
  attributes: Attributes;
  counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** A metric of OTLP, in the JSON form of its protobuf message. */
export interface OtlpHistogram {
  name: string;
  description: string;
  unit: string;
  histogram: { dataPoints: OtlpDataPoint[]; aggregationTemporality: number };
}

interface OtlpDataPoint {
  startTimeUnixNano: string;
  timeUnixNano: string;
  count: string;
  sum: number;
  bucketCounts: string[];
  explicitBounds: readonly number[];
  attributes: KeyValue[];
  min: number;
  max: number;
}

/** The limit of the specification; what is beyond it is counted together. */
const maxSeries = 2000;
const overflow: Attributes = { 'otel.metric.overflow': true };
const cumulative = 2;

/** Counts since the start of the process, one series for each combination of attributes. */
export class Histogram {
  readonly #input: HistogramInput;
  readonly #startMs: number;
  readonly #series = new Map<string, Series>();

  constructor(input: HistogramInput, startMs: number) {
    this.#input = input;
    this.#startMs = startMs;
  }

  /** All calls name the same attributes in the same order; those without a value are undefined. */
  record(value: number, attributes: Attributes): void {
    const series = this.#seriesOf(attributes);
    const { bounds } = this.#input;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += value;
    if (value < series.min) series.min = value;
    if (value > series.max) series.max = value;
  }

  /** Undefined while nothing was measured. */
  collect(nowMs: number): OtlpHistogram | undefined {
    if (this.#series.size === 0) return undefined;
    const { name, description, unit, bounds } = this.#input;
    const dataPoints = [...this.#series.values()].map(({ attributes, counts, count, sum, min, max }) => ({
      startTimeUnixNano: nanoseconds(this.#startMs),
      timeUnixNano: nanoseconds(nowMs),
      count: String(count),
      sum,
      bucketCounts: counts.map(String),
      explicitBounds: bounds,
      attributes: keyValues(attributes),
      min,
      max,
    }));
    return { name, description, unit, histogram: { dataPoints, aggregationTemporality: cumulative } };
  }

  #seriesOf(attributes: Attributes): Series {
    const key = Object.values(attributes).join('\n');
    const known = this.#series.get(key);
    if (known) return known;
    if (this.#series.size >= maxSeries && attributes !== overflow) return this.#seriesOf(overflow);
    const counts = new Array<number>(this.#input.bounds.length + 1).fill(0);
    const series = { attributes, counts, count: 0, sum: 0, min: Infinity, max: -Infinity };
    this.#series.set(key, series);
    return series;
  }
}
