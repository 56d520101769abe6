import { azureRealtime } from './azure/realtime.ts';
import { openAiRealtime } from './openai/realtime.ts';
import type { RealtimeProvider } from './realtime-provider.ts';

/** Vendors that offer realtime sessions, by channel type number. */
const providers: ReadonlyMap<number, RealtimeProvider> = new Map([
  [1, openAiRealtime],
  [3, azureRealtime],
]);

export function realtimeProviderFor(type: number): RealtimeProvider | undefined {
  return providers.get(type);
}
