import { AppError } from '../../errors/app-error.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall } from '../provider-call.ts';
import type { SignInEndpoints } from '../sign-in-endpoint.ts';
import { type ClientCredentials, type SignInProvider, withQuery } from '../sign-in-provider.ts';
import { tokenSchema, userSchema } from './wire.ts';

export interface LinuxDoDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  endpoints: Pick<SignInEndpoints, 'linuxDo'>;
  credentials(): ClientCredentials;
  /** 0 to 4; members below it are refused. */
  minTrustLevel(): number;
}

export function createLinuxDo(dependencies: LinuxDoDependencies): SignInProvider {
  const { outbound, endpoints, credentials, minTrustLevel } = dependencies;
  const { linuxDo } = endpoints;
  return {
    // No challenge: the service does not say that it knows one.
    authorizationUrl: async ({ state, redirectUri }) =>
      withQuery(`${linuxDo}/oauth2/authorize`, {
        response_type: 'code',
        client_id: credentials().clientId,
        redirect_uri: redirectUri,
        state,
      }),

    async identify({ code, redirectUri }) {
      const call = openProviderCall({ outbound, provider: 'LINUX DO', profile: 'operator' });
      const { clientId, clientSecret } = credentials();
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const { access_token } = await call(`${linuxDo}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        response: tokenSchema,
      });
      const headers = { authorization: `Bearer ${access_token}` };
      const user = await call(`${linuxDo}/api/user`, { headers, response: userSchema });
      if (!user.active || user.silenced) throw new AppError('outside.notWelcome', { provider: 'LINUX DO' });
      if (user.trust_level < minTrustLevel())
        throw new AppError('outside.trustLevel', { level: minTrustLevel(), own: user.trust_level });
      return { id: String(user.id), displayName: user.name || user.username };
    },
  };
}
