import { Counter, Gauge } from 'prom-client';
import type { ReportDatabase } from '../database/report-database.ts';
import type { Metrics } from '../integrations/prometheus/metrics.ts';

/** Whether lists and reports come from the replica, and how far it is behind. */
export function showReplica({ registry }: Metrics, reports: ReportDatabase): void {
  new Gauge({
    name: 'tollgate_read_replica_used',
    help: '1 while lists and reports are read from the replica, 0 while they are read from the primary.',
    registers: [registry],
    // Of several workers: the one that cannot use it shows.
    aggregator: 'min',
    collect() {
      this.set(reports.state()?.fault === undefined ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tollgate_read_replica_lag_seconds',
    help: 'How far the replica is behind; absent while it does not respond.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset();
      const seconds = reports.state()?.lagSeconds;
      if (seconds !== undefined) this.set(seconds);
      else this.remove();
    },
  });
  const shown = { primary: 0, replica: 0 };
  new Counter({
    name: 'tollgate_report_reads_total',
    help: 'Lists, sums and charts that were read, by database.',
    labelNames: ['database'],
    registers: [registry],
    collect() {
      for (const database of ['primary', 'replica'] as const) {
        const count = reports.counts()[database];
        this.inc({ database }, count - shown[database]);
        shown[database] = count;
      }
    },
  });
}
