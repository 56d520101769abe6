import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall, type ProviderCall } from '../provider-call.ts';
import type { SignInEndpoints } from '../sign-in-endpoint.ts';
import {
  type ClientCredentials,
  challengeFields,
  type OutsideIdentity,
  type SignInProvider,
  withQuery,
} from '../sign-in-provider.ts';
import { emailListSchema, tokenSchema, userSchema } from './wire.ts';

export interface GitHubDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  endpoints: Pick<SignInEndpoints, 'github' | 'githubApi'>;
  credentials(): ClientCredentials;
}

export function createGitHub({ outbound, endpoints, credentials }: GitHubDependencies): SignInProvider {
  const { github, githubApi } = endpoints;

  async function accessToken(call: ProviderCall, code: string, verifier: string | undefined): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret } = credentials();
    const { access_token } = await call(`${github}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      json: { client_id, client_secret, code, ...(verifier && { code_verifier: verifier }) },
      // Refusals come with status 200 and without a token.
      response: tokenSchema,
    });
    return access_token;
  }

  return {
    // Without redirect_uri: GitHub sends the browser to the page that was registered there.
    authorizationUrl: async ({ state, verifier }) =>
      withQuery(`${github}/login/oauth/authorize`, {
        client_id: credentials().clientId,
        state,
        scope: 'user:email',
        ...challengeFields(verifier),
      }),

    async identify({ code, verifier }): Promise<OutsideIdentity> {
      const call = openProviderCall({ outbound, provider: 'GitHub', profile: 'operator' });
      const token = await accessToken(call, code, verifier);
      const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' };
      const { id, login, name } = await call(`${githubApi}/user`, { headers, response: userSchema });
      const email = await verifiedEmail(call, `${githubApi}/user/emails`, headers);
      return { id: String(id), formerId: login, displayName: name || login, ...(email && { email }) };
    },
  };
}

async function verifiedEmail(
  call: ProviderCall,
  address: string,
  headers: Record<string, string>,
): Promise<string | undefined> {
  try {
    const list = await call(address, { headers, response: emailListSchema });
    return list.find(({ primary, verified }) => primary && verified)?.email;
  } catch {
    // Users who keep their address private may still sign in.
    return undefined;
  }
}
