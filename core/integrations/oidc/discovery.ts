import type { z } from 'zod';
import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall, refusal } from '../provider-call.ts';
import { discoverySchema } from './wire.ts';

export type Discovered = z.output<typeof discoverySchema>;

const freshMs = 10 * 60_000;
/** A provider that does not respond is not asked again by every visitor. */
const failedMs = 30_000;

/** The provider's own description of itself, asked for once for all who need it. */
export function createDiscovery({ outbound, address }: { outbound: Pick<Outbound, 'fetchJson'>; address(): string }) {
  let known: { address: string; until: number; result: Promise<Discovered> } | undefined;

  function find(): Promise<Discovered> {
    const current = address();
    if (known?.address === current && performance.now() < known.until) return known.result;
    const asked = { address: current, until: performance.now() + freshMs, result: ask(current) };
    asked.result.catch(() => {
      asked.until = performance.now() + failedMs;
    });
    known = asked;
    return asked.result;
  }

  async function ask(from: string): Promise<Discovered> {
    if (from === '') throw refusal('OIDC', 'neither endpoints nor a discovery address are set');
    const call = openProviderCall({ outbound, provider: 'OIDC', profile: 'operatorPrivate' });
    return call(from, { response: discoverySchema });
  }

  return { find };
}
