import { UpstreamError } from '../../errors/upstream-error.ts';
import { countOf, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import type { ExchangeCredential } from '../adapter.ts';
import type { BaiduKey } from './key.ts';

/** As the vendor gives them; used where a response names no lifetime. */
const defaultLifetimeSeconds = 2_592_000;

/** An application's pair for a token of thirty days, which goes into the query. */
export function exchangeOf({ apiKey, secretKey }: Extract<BaiduKey, { kind: 'v1' }>, base: string): ExchangeCredential {
  const [id, secret] = [encodeURIComponent(apiKey), encodeURIComponent(secretKey)];
  return {
    kind: 'exchange',
    request: {
      url: `${base}/oauth/2.0/token?grant_type=client_credentials&client_id=${id}&client_secret=${secret}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    },
    parameter: 'access_token',
    read,
  };
}

function read(status: number, body: unknown): { token: string; lifetimeSeconds: number } {
  const { access_token: token, expires_in: lifetime, error } = recordOf(body);
  if (textOf(token) !== '') {
    return { token: textOf(token), lifetimeSeconds: countOf(lifetime) || defaultLifetimeSeconds };
  }
  const code = textOf(error);
  if (status < 500 && /^(invalid_client|unauthorized_client|invalid_grant)$/.test(code)) {
    throw new UpstreamError({ status: 401, code, coded: coded('token.baiduKey'), kind: 'dead' });
  }
  throw new UpstreamError({
    status: 502,
    code: 'token_exchange',
    coded: coded('token.none', { status }),
    kind: 'retry',
  });
}
