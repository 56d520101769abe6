import { setTimeout as wait } from 'node:timers/promises';
import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall } from '../provider-call.ts';
import {
  type ClientCredentials,
  challengeFields,
  type OutsideIdentity,
  type SignInProvider,
  withQuery,
} from '../sign-in-provider.ts';
import { createDiscovery } from './discovery.ts';
import { tokenSchema, userInfoSchema } from './wire.ts';

/** What the operator saved; an endpoint that is '' is looked up at the discovery address. */
export interface OidcSettings extends ClientCredentials {
  wellKnown: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  userInfoEndpoint: string;
}

export interface OidcDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  settings(): OidcSettings;
}

export interface OidcProvider extends SignInProvider {
  /** '' while it is neither saved nor known from discovery. Never rejects. */
  authorizationEndpoint(): Promise<string>;
}

const pageWaitMs = 1000;
const noRef = { ref: false };

export function createOidc({ outbound, settings }: OidcDependencies): OidcProvider {
  const discovery = createDiscovery({ outbound, address: () => settings().wellKnown });
  const isComplete = () => {
    const { authorizationEndpoint, tokenEndpoint, userInfoEndpoint } = settings();
    return [authorizationEndpoint, tokenEndpoint, userInfoEndpoint].every(Boolean);
  };

  async function endpoints() {
    const own = settings();
    const found = isComplete() ? undefined : await discovery.find();
    return {
      authorization: own.authorizationEndpoint || found?.authorization_endpoint || '',
      token: own.tokenEndpoint || found?.token_endpoint || '',
      userInfo: own.userInfoEndpoint || found?.userinfo_endpoint || '',
      // A provider that lists what it knows and leaves S256 out would only be confused.
      knowsChallenge: found?.code_challenge_methods_supported?.includes('S256') ?? true,
    };
  }

  return {
    async authorizationEndpoint() {
      const saved = settings().authorizationEndpoint;
      if (saved || !settings().wellKnown) return saved;
      // The page shows no button then; the sign-in itself says what is wrong. Every page waits for this, so it is not for long.
      const found = await Promise.race([discovery.find().catch(() => undefined), wait(pageWaitMs, undefined, noRef)]);
      return found?.authorization_endpoint ?? '';
    },

    async authorizationUrl({ state, verifier, redirectUri }) {
      const { authorization, knowsChallenge } = await endpoints();
      return withQuery(authorization, {
        client_id: settings().clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile email',
        state,
        ...challengeFields(knowsChallenge ? verifier : undefined),
      });
    },

    async identify({ code, verifier, redirectUri }): Promise<OutsideIdentity> {
      const { token, userInfo, knowsChallenge } = await endpoints();
      const call = openProviderCall({ outbound, provider: 'OIDC', profile: 'operatorPrivate' });
      const { clientId: client_id, clientSecret: client_secret } = settings();
      const { access_token } = await call(token, {
        method: 'POST',
        form: {
          grant_type: 'authorization_code',
          client_id,
          client_secret,
          code,
          redirect_uri: redirectUri,
          ...(verifier && knowsChallenge && { code_verifier: verifier }),
        },
        response: tokenSchema,
      });
      const headers = { authorization: `Bearer ${access_token}` };
      const { sub, email, email_verified, name, preferred_username } = await call(userInfo, {
        headers,
        response: userInfoSchema,
      });
      return {
        id: sub,
        displayName: name || preferred_username || '',
        ...(preferred_username && { username: preferred_username }),
        ...(email_verified && { email }),
      };
    },
  };
}
