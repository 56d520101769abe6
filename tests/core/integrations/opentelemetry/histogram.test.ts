import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../../core/integrations/opentelemetry/histogram.ts';

describe('a histogram', () => {
  const open = () => new Histogram({ name: 'h', description: '', unit: 's', bounds: [1, 5] }, 1_000_000);

  it('counts a value on a limit in the bucket below it', () => {
    const histogram = open();
    for (const value of [0, 1, 1.5, 5, 6]) histogram.record(value, { model: 'a' });
    expect(histogram.collect(2_000_000)?.histogram.dataPoints).toMatchObject([
      { count: '5', sum: 13.5, min: 0, max: 6, bucketCounts: ['2', '2', '1'], timeUnixNano: '2000000000000' },
    ]);
  });

  it('reports nothing before something was measured', () => {
    expect(open().collect(1)).toBeUndefined();
  });

  it('counts what goes beyond two thousand series together', () => {
    const histogram = open();
    for (let index = 0; index < 2500; index += 1) histogram.record(1, { model: `m${index}` });
    const points = histogram.collect(1)?.histogram.dataPoints ?? [];
    expect(points.length).toBe(2001);
    expect(points.at(-1)).toMatchObject({
      count: '500',
      attributes: [{ key: 'otel.metric.overflow', value: { boolValue: true } }],
    });
  });
});
