import { CellCounter } from './cell-counter.ts';
import type { Metrics } from './metrics.ts';

/** Counts the console's responses by the route as it is listed: a made-up path has none. */
export function countResponses({ registry }: Metrics) {
  const responses = new CellCounter({
    registry,
    name: 'tollgate_http_requests_total',
    help: 'Responses of the console and to other calls that are no relay calls.',
    labels: ['method', 'route', 'status'],
  });
  return (method: string, route: string, status: number): void => {
    responses.of(method, route || 'none', String(status)).value++;
  };
}
