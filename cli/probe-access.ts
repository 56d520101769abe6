import type { App } from '../core/app.ts';
import { AppError } from '../core/errors/app-error.ts';
import { createProbe, type Probe, type ProbeResult } from '../core/relay/probe.ts';
import { createRouting } from '../core/services/routing.ts';

export interface ChannelProbe {
  test(id: number, model?: string): Promise<ProbeResult>;
  models: Probe['models'];
}

/** The relay's probe over the channels as they are stored now. */
export function openProbe({ config, database, feed, secretBox, outbound, services }: App): ChannelProbe {
  const probe = createProbe({
    outbound,
    proxy: config.relayProxy,
    saveTestResult: (id, ms) => services.channels.saveTestResult(id, ms),
  });
  return {
    async test(id, model) {
      let unreadable: unknown;
      const onError = (error: unknown) => {
        unreadable = error;
      };
      const routing = await createRouting({ database, feed, secretBox, onError });
      const found = routing.channel(id);
      // A channel whose key does not open is left out of the routing.
      if (!found) throw unreadable ?? new AppError('object.notFound', { what: 'channel', id, noun: 'channel' });
      return probe.test(found.channel, model);
    },
    models: probe.models,
  };
}
