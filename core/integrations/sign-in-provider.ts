import { createHash } from 'node:crypto';

/** The identity of a user at a provider. */
export interface OutsideIdentity {
  /** Never changes and never belongs to another user. */
  id: string;
  /** What some installations stored in place of the id: a name, which may change hands. */
  formerId?: string;
  displayName: string;
  /** The user name wished for. */
  username?: string;
  /** Only one the provider has verified. */
  email?: string;
}

export interface AuthorizationRequest {
  state: string;
  /** The secret of this sign-in (PKCE); the provider first gets its hash only. Undefined: the page asked without one. */
  verifier: string | undefined;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
}

export interface IdentityRequest {
  code: string;
  verifier: string | undefined;
  redirectUri: string;
}

/** A provider with an authorization page. */
export interface SignInProvider {
  /** The page the browser is sent to. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Trades the code for who it is. Throws `outside.refused`, or `outbound.*` when the provider does not respond. */
  identify(request: IdentityRequest): Promise<OutsideIdentity>;
}

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The hash of a verifier as the authorization page takes it (RFC 7636, S256). */
export function challengeFields(verifier: string | undefined): Record<string, string> {
  if (verifier === undefined) return {};
  return {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
}

export function withQuery(address: string, fields: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
