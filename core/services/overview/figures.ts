import type { Database } from '../../database/connect.ts';
import type { OverviewQuery } from '../../schemas/overview.ts';
import type { UsageScope } from '../usage/usage-source.ts';
import { usageSums } from '../usage/usage-sums.ts';
import { readLatency } from './latency.ts';
import { readLatencies } from './latency-series.ts';
import { readOutcomes } from './outcomes.ts';
import { spansOf } from './spans.ts';
import { readTopModels } from './top.ts';
import { readPace, readTotals } from './totals.ts';

/** The figures that every overview has, of whatever they are asked for. */
export async function readFigures(database: Database, query: OverviewQuery, at: number, scope: UsageScope = {}) {
  const spans = spansOf(query, at);
  const { start, end } = spans.span;
  const { unit, utc_offset, time_zone } = query;
  const series = {
    start_timestamp: start,
    end_timestamp: end,
    unit: unit === 'week' ? 'day' : unit,
    utc_offset,
    time_zone,
  } as const;
  const [current, previous, pace, previousPace, latency, previousLatency, sums, models, latencies] = await Promise.all([
    readTotals(database, spans.span, scope),
    readTotals(database, spans.previous, scope),
    readPace(database, at, scope),
    readPace(database, at - (spans.span.end - spans.previous.end), scope),
    readLatency(database, spans.span, scope),
    readLatency(database, spans.previous, scope),
    usageSums(database, series, { now: at, ...scope }),
    readTopModels(database, spans, scope),
    readLatencies(database, spans.span, { unit, utc_offset, time_zone, scope }),
  ]);
  const outcomes = await readOutcomes(database, series, { now: at, paid: sums, scope });
  return {
    computed_at: at,
    span: spans.span,
    previous_span: spans.previous,
    current,
    previous,
    pace,
    previous_pace: previousPace,
    latency,
    previous_latency: previousLatency,
    series: sums.map(({ username: _, ...row }) => row),
    outcomes,
    latencies,
    top_models: models,
  };
}
