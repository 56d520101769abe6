import { describe, expect, it } from 'vitest';
import {
  addHistogram,
  addValue,
  type Distribution,
  histogramText,
  quantileOf,
  readHistogram,
} from '../../../../core/services/health/histogram.ts';

const of = (values: number[]): Distribution => {
  const histogram: Distribution = new Map();
  for (const value of values) addValue(histogram, value);
  return histogram;
};

describe('a histogram of speeds', () => {
  it('tells a value that is right within a tenth, from a millisecond to an hour', () => {
    for (let value = 1; value < 3_600_000; value = value * 1.37 + 1) {
      const told = quantileOf(of([value]), 0.5) ?? 0;
      expect(Math.abs(told - value) / value, String(value)).toBeLessThan(0.1);
    }
  });

  it('tells the middle and the slow end of many, also added up from several machines and read back', () => {
    const sum: Distribution = new Map();
    const values = Array.from({ length: 1000 }, (_, index) => index + 1);
    for (const part of [values.slice(0, 300), values.slice(300)])
      addHistogram(sum, readHistogram(histogramText(of(part))));
    expect(quantileOf(sum, 0.5)).toBeGreaterThan(450);
    expect(quantileOf(sum, 0.5)).toBeLessThan(550);
    expect(quantileOf(sum, 0.95)).toBeGreaterThan(855);
    expect(quantileOf(sum, 0.95)).toBeLessThan(1045);
  });

  it('tells nothing of nothing, and nothing of what is no histogram', () => {
    expect(quantileOf(new Map(), 0.5)).toBeNull();
    expect(quantileOf(readHistogram('[1'), 0.5)).toBeNull();
    expect(quantileOf(readHistogram('{"4":"many"}'), 0.5)).toBeNull();
  });
});
