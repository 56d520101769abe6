import type { Database } from '../../database/connect.ts';
import type { OverviewSpan } from '../../schemas/overview.ts';
import { conditionsOf, type UsageScope } from '../usage/usage-source.ts';

/** Unix seconds, both included; of one channel where it is named. */
export type SampleSpan = OverviewSpan & { channelId?: number };

/** Milliseconds until the end and until the first token; what is not positive tells nothing. */
export interface LatencySample {
  totals: (number | null)[];
  firsts: (number | null)[];
}

/** SQLite compounds at most 500 statements. */
const maxCompound = 200;

/** What the latest paid requests of each span took, at most `max` of each. */
export async function readLatencySamples(
  database: Database,
  spans: SampleSpan[],
  { max, scope = {} }: { max: number; scope?: UsageScope },
): Promise<LatencySample[]> {
  const samples = spans.map((): LatencySample => ({ totals: [], firsts: [] }));
  const logs = await database.logHome();
  const { total, first } = columns[logs.engine];
  const conditions = [...conditionsOf(scope), 'type = 2'].join(' AND ');
  for (let from = 0; from < spans.length; from += maxCompound) {
    // SQL: two numbers out of a text, of few rows each that an index must find.
    const parts = spans.slice(from, from + maxCompound).map(({ start, end, channelId }, index) => {
      const channel = channelId === undefined ? '' : ` AND channel_id = ${channelId}`;
      return `SELECT * FROM (SELECT ${from + index} AS span, ${total} AS total, ${first} AS first FROM logs
        WHERE ${conditions}${channel} AND created_at >= ${start} AND created_at <= ${end}
        ORDER BY created_at DESC LIMIT ${max}) AS part${index}`;
    });
    const rows = await logs.select<{ span: number; total: number | null; first: number | null }>(
      parts.join(' UNION ALL '),
      { ...scope },
    );
    for (const row of rows) {
      samples[row.span]?.totals.push(row.total);
      samples[row.span]?.firsts.push(row.first);
    }
  }
  return samples;
}

/** Imported rows hold any text, which PostgreSQL would refuse to read as JSON. */
const columns = {
  sqlite: {
    total: "CASE WHEN json_valid(other) THEN json_extract(other, '$.duration_ms') END",
    first: "CASE WHEN json_valid(other) THEN json_extract(other, '$.frt') END",
  },
  postgres: {
    total: `CAST(substring(other FROM '"duration_ms":([0-9]{1,9})') AS INTEGER)`,
    first: `CAST(substring(other FROM '"frt":([0-9]{1,9})') AS INTEGER)`,
  },
};
