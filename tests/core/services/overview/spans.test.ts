import { describe, expect, it } from 'vitest';
import { overviewQuery } from '../../../../core/schemas/overview.ts';
import { spansOf } from '../../../../core/services/overview/spans.ts';

describe('the spans of an overview', () => {
  const now = 1_800_000_000;
  const day = 86_400;

  it('end now at the latest, so that a time with a far end is cut to days that have been', () => {
    const query = overviewQuery.parse({ start_timestamp: '1', end_timestamp: String(now + 4000 * day) });
    const { span, previous } = spansOf(query, now);
    expect(span).toEqual({ start: now - 400 * day, end: now });
    expect(previous).toEqual({ start: span.start - 1 - 400 * day, end: span.start - 1 });
  });
});
