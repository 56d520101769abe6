import type { Outbound } from '../outbound/outbound.ts';
/** Which addresses the person who saved the channel may reach, and the proxy in use. */
export interface TokenReach {
  privateAllowed: boolean;
  proxy?: string | undefined;
}

export interface NewToken {
  token: string;
  lifetimeMs: number;
}

interface HeldToken {
  token: string;
  /** Unix ms. */
  goodUntil: number;
}

/** A token about to expire may not live as long as the call it is for. */
const marginMs = 5 * 60_000;
/** Of keys in use at a time; those longest unused are asked for again. */
const maxTokens = 1000;

/** Tokens by the name of what they were given for: asked for once, however many calls need one, and held until shortly before their end. */
export function createHeldTokens(now: () => number) {
  const held = new Map<string, HeldToken>();
  const running = new Map<string, Promise<string>>();

  async function get(name: string, reach: TokenReach, request: () => Promise<NewToken>): Promise<string> {
    const token = held.get(name);
    if (token && token.goodUntil > now()) return token.token;
    // Each call waits for what its own reach allows: another one's proxy or rights are not its own.
    const flight = JSON.stringify([name, reach.privateAllowed, reach.proxy]);
    const pending = running.get(flight) ?? exchange(name, request).finally(() => running.delete(flight));
    running.set(flight, pending);
    return pending;
  }

  async function exchange(name: string, request: () => Promise<NewToken>): Promise<string> {
    const { token, lifetimeMs } = await request();
    held.delete(name);
    held.set(name, { token, goodUntil: now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) });
    const oldest = held.keys().next();
    if (held.size > maxTokens && !oldest.done) held.delete(oldest.value);
    return token;
  }

  /** Unless a newer one has taken its place already. */
  function forget(name: string, token: string): void {
    if (held.get(name)?.token === token) held.delete(name);
  }

  return { get, forget };
}

export interface AuthorizerDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  /** Unix ms. */
  now?: () => number;
}
