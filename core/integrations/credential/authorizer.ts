import type { UpstreamCredential } from '../../providers/adapter.ts';
import { createExchangedTokens } from './exchanged-token.ts';
import { createGoogleTokens } from './google-token.ts';
import type { AuthorizerDependencies, TokenReach } from './held-token.ts';
import type { SignedRequest } from './signed-request.ts';
import { signTencent } from './tencent-signature.ts';

/** What a request gets so that the upstream knows who we are. */
export interface Proof {
  headers?: Record<string, string>;
  /** In place of the request's own. */
  url?: string;
}

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** Proves to an upstream who we are where that takes the whole request, or a token from another service. */
export function createAuthorizer({ outbound, now = Date.now }: AuthorizerDependencies) {
  const googleTokens = createGoogleTokens({ outbound, now });
  const exchangedTokens = createExchangedTokens({ outbound, now });

  /** Adds to the request's headers, or to its address. Throws UpstreamError: `dead` when the key itself is no good. */
  async function authorize(request: SignedRequest, credential: UpstreamCredential, reach: TokenReach): Promise<Proof> {
    if (credential.kind === 'aws') {
      const { signAws } = await import('./aws-signature.ts');
      return { headers: await signAws(request, credential, new Date(now())) };
    }
    if (credential.kind === 'tencent') return { headers: signTencent(request, credential, new Date(now())) };
    if (credential.kind === 'google') return bearer(await googleTokens.get(credential, reach));
    const token = await exchangedTokens.get(credential, reach);
    return credential.parameter === undefined
      ? bearer(token)
      : { url: withParameter(request.url, credential.parameter, token) };
  }

  /**
   * To be told when the upstream refused this proof. True when it is worth asking once more, because another one will take its
   * place.
   */
  function refused(credential: UpstreamCredential, { headers, url }: Pick<SignedRequest, 'headers' | 'url'>): boolean {
    if (credential.kind === 'aws' || credential.kind === 'tencent') return false;
    const parameter = credential.kind === 'exchange' ? credential.parameter : undefined;
    const token =
      parameter === undefined
        ? headers.authorization?.replace(/^Bearer /, '')
        : new URL(url).searchParams.get(parameter);
    if (credential.kind === 'google') googleTokens.forget(credential, token ?? '');
    else exchangedTokens.forget(credential, token ?? '');
    return true;
  }

  return { authorize, refused };
}

function bearer(token: string): Proof {
  return { headers: { authorization: `Bearer ${token}` } };
}

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
