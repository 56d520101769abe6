import { Gauge } from 'prom-client';
import type { Database } from '../database/connect.ts';
import type { Metrics } from '../integrations/prometheus/metrics.ts';
import type { LogMover } from '../jobs/move-log.ts';

/** A count that costs little, however many rows wait. */
const maxCounted = 100_000;

/** Whether rows reach the log database, and how many wait for it. */
export function showLogStore({ registry }: Metrics, mover: LogMover, database: Database): void {
  new Gauge({
    name: 'tollgate_log_database_up',
    help: '1 while rows can be moved to the log database, 0 while they wait in the main database.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(mover.isMoving() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tollgate_log_rows_waiting',
    help: `Rows of the log in the main database, counted up to ${maxCounted}.`,
    registers: [registry],
    aggregator: 'max',
    async collect() {
      // SQL: a count that ends early.
      const [row] = await database
        .select<{ count: number }>(`SELECT count(*) AS count FROM (SELECT 1 FROM logs LIMIT ${maxCounted}) AS waiting`)
        .catch(() => []);
      if (row) this.set(Number(row.count));
      else this.remove();
    },
  });
}
