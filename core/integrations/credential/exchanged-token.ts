import { createHash } from 'node:crypto';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { ExchangeCredential } from '../../providers/adapter.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import { type AuthorizerDependencies, createHeldTokens, type NewToken, type TokenReach } from './held-token.ts';

const timeoutMs = 15_000;
const maxResponseBytes = 64 * 1024;
/** Goes into a header or an address. */
const tokenPattern = /^[\x21-\x7e]{1,16384}$/;

/** Tokens that vendors give for a channel's key. */
export function createExchangedTokens({ outbound, now = Date.now }: AuthorizerDependencies) {
  const tokens = createHeldTokens(now);

  async function request(credential: ExchangeCredential, { privateAllowed, proxy }: TokenReach): Promise<NewToken> {
    const { url, ...sent } = credential.request;
    const { status, body } = await outbound
      .fetchJson(url, {
        ...sent,
        profile: privateAllowed ? 'operatorPrivate' : 'operator',
        timeoutMs,
        maxBytes: maxResponseBytes,
        ...(proxy && { proxy }),
      })
      .catch((cause: unknown) => {
        throw exchangeFailed('token.unreachable', cause);
      });
    const { token, lifetimeSeconds } = credential.read(status, body);
    if (!tokenPattern.test(token)) throw exchangeFailed('token.malformed');
    return { token, lifetimeMs: lifetimeSeconds * 1000 };
  }

  return {
    get: (credential: ExchangeCredential, reach: TokenReach) =>
      tokens.get(fingerprint(credential), reach, () => request(credential, reach)),
    forget: (credential: ExchangeCredential, token: string) => tokens.forget(fingerprint(credential), token),
  };
}

/** A key that was edited is another key. */
function fingerprint({ request }: ExchangeCredential): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

function exchangeFailed(key: DetailKey, cause?: unknown): UpstreamError {
  return new UpstreamError({ status: 502, code: 'token_exchange', coded: coded(key), kind: 'retry', cause });
}
