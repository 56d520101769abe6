import type { Logger } from '../../lib/logger.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Metrics } from '../prometheus/metrics.ts';
import type { Attributes } from './attribute.ts';
import type { Collector } from './collector.ts';

/** Sends one kind of telemetry, in the background. */
export interface Exporter extends Pick<Collector, 'hurry' | 'stop'> {
  /** Resolves when what is left was sent or is lost. */
  close(): Promise<void>;
}

export interface ExporterDependencies {
  outbound: Pick<Outbound, 'fetchBytes'>;
  logger: Logger;
  /** Where is counted what was sent and what was lost. */
  metrics: Metrics;
  resource: Attributes;
}

/** One line when a collector is lost, and one when it is back. */
export function stateLog(logger: Logger, what: string): (reason: string | undefined) => void {
  let isLost = false;
  return (reason) => {
    if (isLost === (reason !== undefined)) return;
    isLost = reason !== undefined;
    if (isLost) logger.log('warn', `${what} could not be sent to the OpenTelemetry collector`, { reason });
    else logger.log('info', `${what} are sent to the OpenTelemetry collector again`);
  };
}
