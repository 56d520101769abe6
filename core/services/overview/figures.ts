import type { Database } from '../../database/connect.ts';
import type { OverviewQuery } from '../../schemas/overview.ts';
import type { UsageScope } from '../usage/usage-source.ts';
import { usageSums } from '../usage/usage-sums.ts';
import { readLatency } from './latency.ts';
import { spansOf } from './spans.ts';
import { readTopModels } from './top.ts';
import { readPace, readTotals } from './totals.ts';

/** The figures that every overview has, of whatever they are asked for. */
export async function readFigures(database: Database, query: OverviewQuery, at: number, scope: UsageScope = {}) {
  const spans = spansOf(query, at);
  const { start, end } = spans.span;
  const series = { start_timestamp: start, end_timestamp: end, unit: query.unit, utc_offset: query.utc_offset };
  const [current, previous, pace, latency, previousLatency, sums, models] = await Promise.all([
    readTotals(database, spans.span, scope),
    readTotals(database, spans.previous, scope),
    readPace(database, at, scope),
    readLatency(database, spans.span, scope),
    readLatency(database, spans.previous, scope),
    usageSums(database, series, { now: at, ...scope }),
    readTopModels(database, spans, scope),
  ]);
  return {
    computed_at: at,
    span: spans.span,
    previous_span: spans.previous,
    current,
    previous,
    pace,
    latency,
    previous_latency: previousLatency,
    series: sums.map(({ username: _, ...row }) => row),
    top_models: models,
  };
}
