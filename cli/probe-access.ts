import type { App } from '../core/app.ts';
import { createProbe } from '../core/relay/probe/probe.ts';
import { systemActor } from '../core/schemas/actor.ts';
import type { ChannelProbe, ChannelTest } from '../core/services/channel/probe.ts';

/** Upstreams with the rights of a user on this machine: private addresses too. */
export function openProbe({ config, outbound, authorizer, services }: App) {
  const probe = createProbe({
    outbound,
    authorizer,
    modelSettings: services.modelSettings,
    proxy: config.relayProxy,
    saveTestResult: services.channels.saveTestResult,
  });
  return {
    test: (id: number, model?: string): Promise<ChannelTest> => services.channelChecks.test(systemActor, id, model),
    models: (target: Parameters<ChannelProbe['models']>[0]) => probe.models(target, { privateAllowed: true }),
  };
}
