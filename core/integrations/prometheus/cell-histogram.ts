import type { Metric, Registry } from 'prom-client';

interface CellHistogramInput {
  registry: Registry;
  name: string;
  help: string;
  /** Upper bounds in rising order. */
  buckets: readonly number[];
  label: string;
}

interface Cell {
  /** By bucket; the last one is for what is above all bounds. */
  counts: number[];
  sum: number;
}

/**
 * A histogram with one label. The library's own writes a text of the labels at each value, and looks bounds up by their names; here
 * that is done only when the metrics are read.
 */
export class CellHistogram {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly labelNames: readonly string[];
  readonly name: string;
  readonly help: string;
  private readonly label: string;
  private readonly buckets: readonly number[];
  private readonly cells = new Map<string, Cell>();

  constructor({ registry, name, help, buckets, label }: CellHistogramInput) {
    this.name = name;
    this.help = help;
    this.buckets = buckets;
    this.label = label;
    this.labelNames = [label];
    // The registry calls `get` of what it holds, and nothing else.
    registry.registerMetric(this as unknown as Metric);
  }

  /** `value` is the label's; it must come from a bounded set. */
  observe(value: string, number: number): void {
    let cell = this.cells.get(value);
    if (!cell) {
      cell = { counts: new Array(this.buckets.length + 1).fill(0), sum: 0 };
      this.cells.set(value, cell);
    }
    const { buckets } = this;
    let at = 0;
    while (at < buckets.length && number > (buckets[at] ?? 0)) at++;
    cell.counts[at] = (cell.counts[at] ?? 0) + 1;
    cell.sum += number;
  }

  async get() {
    const { name, help, type, aggregator } = this;
    return {
      name,
      help,
      type,
      aggregator,
      values: [...this.cells].flatMap(([value, cell]) => this.valuesOf(value, cell)),
    };
  }

  private valuesOf(value: string, { counts, sum }: Cell) {
    const labels = { [this.label]: value };
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      return { labels: { le: this.buckets[at] ?? '+Inf', ...labels }, value: total, metricName: `${this.name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: total, metricName: `${this.name}_count` },
    ];
  }
}
