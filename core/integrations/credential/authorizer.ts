import type { UpstreamCredential } from '../../providers/adapter.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { signAws } from './aws-signature.ts';
import { createGoogleTokens, type TokenReach } from './google-token.ts';

export interface SignedRequest {
  url: string;
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** As it goes out: a signature covers every byte. */
  body: Buffer;
}

export interface AuthorizerDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  /** Unix ms. */
  now?: () => number;
}

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** Proves to an upstream who we are where that takes the whole request, or a token from somebody else. */
export function createAuthorizer({ outbound, now = Date.now }: AuthorizerDependencies) {
  const googleTokens = createGoogleTokens({ outbound, now });

  /** Headers to add to the request. Throws UpstreamError: `dead` when the key itself is no good. */
  async function authorize(
    request: SignedRequest,
    credential: UpstreamCredential,
    reach: TokenReach,
  ): Promise<Record<string, string>> {
    if (credential.kind === 'aws') return signAws(request, credential, new Date(now()));
    return { authorization: `Bearer ${await googleTokens.get(credential, reach)}` };
  }

  /**
   * To be told when the upstream answered 401 to a request with these headers. True when it is worth asking once more, because
   * other headers will come of it.
   */
  function refused(credential: UpstreamCredential, headers: Readonly<Record<string, string>>): boolean {
    if (credential.kind === 'aws') return false;
    googleTokens.forget(credential, headers.authorization?.replace(/^Bearer /, '') ?? '');
    return true;
  }

  return { authorize, refused };
}
