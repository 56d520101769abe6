import { createGitHub } from '../../integrations/github/github.ts';
import { createLinuxDo } from '../../integrations/linuxdo/linuxdo.ts';
import { createOidc } from '../../integrations/oidc/oidc.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import type { SignInEndpoints } from '../../integrations/sign-in-endpoint.ts';
import { createTurnstile } from '../../integrations/turnstile/turnstile.ts';
import { createWeChat } from '../../integrations/wechat/wechat.ts';
import type { OptionService } from '../option/option.ts';

export interface SignInProviderDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  options: Pick<OptionService, 'get'>;
  endpoints: SignInEndpoints;
}

/** All sign-in providers, each with its options, read at the moment of the call. */
export function createSignInProviders({ outbound, options, endpoints }: SignInProviderDependencies) {
  const { get } = options;
  return {
    github: createGitHub({
      outbound,
      endpoints,
      credentials: () => ({ clientId: get('GitHubClientId'), clientSecret: get('GitHubClientSecret') }),
    }),
    linuxdo: createLinuxDo({
      outbound,
      endpoints,
      credentials: () => ({ clientId: get('LinuxDOClientId'), clientSecret: get('LinuxDOClientSecret') }),
      minTrustLevel: () => get('LinuxDOMinimumTrustLevel'),
    }),
    oidc: createOidc({
      outbound,
      settings: () => ({
        clientId: get('oidc.client_id'),
        clientSecret: get('oidc.client_secret'),
        wellKnown: get('oidc.well_known'),
        authorizationEndpoint: get('oidc.authorization_endpoint'),
        tokenEndpoint: get('oidc.token_endpoint'),
        userInfoEndpoint: get('oidc.user_info_endpoint'),
      }),
    }),
    weChat: createWeChat({
      outbound,
      settings: () => ({ address: get('WeChatServerAddress'), token: get('WeChatServerToken') }),
    }),
    turnstile: createTurnstile({ outbound, endpoints, secret: () => get('TurnstileSecretKey') }),
  };
}
