import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamCredential } from '../../providers/adapter.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import { bareHost } from '../outbound/address-rules.ts';
import { isLoopback } from '../outbound/ip-class.ts';
import { type AuthorizerDependencies, createHeldTokens, type NewToken, type TokenReach } from './held-token.ts';

type GoogleCredential = Extract<UpstreamCredential, { kind: 'google' }>;

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const jwtLifetimeSeconds = 3600;
const timeoutMs = 15_000;
const maxResponseBytes = 64 * 1024;
/** Access tokens of service accounts: exchanged once per key, however many calls need one, and held until shortly before their end. */
export function createGoogleTokens({ outbound, now = Date.now }: AuthorizerDependencies) {
  const tokens = createHeldTokens(now);

  async function requestToken(credential: GoogleCredential, { privateAllowed, proxy }: TokenReach): Promise<NewToken> {
    const { tokenUri } = credential;
    if (!isTokenAddress(tokenUri, privateAllowed)) throw keyError('token.badUri', 'token_uri');
    const assertion = await signJwt(credential, Math.floor(now() / 1000));
    const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    const { status, body } = await outbound
      .fetchJson(tokenUri, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        profile: privateAllowed ? 'operatorPrivate' : 'operator',
        timeoutMs,
        maxBytes: maxResponseBytes,
        ...(proxy && { proxy }),
      })
      .catch((error: unknown) => {
        throw passingError(coded('token.unreachable'), error);
      });
    const response = tokenSchema.safeParse(body).data;
    if (status !== 200 || !response) throw refusal(status, body);
    return { token: response.access_token, lifetimeMs: response.expires_in * 1000 };
  }

  return {
    get: (credential: GoogleCredential, reach: TokenReach) =>
      tokens.get(fingerprint(credential), reach, () => requestToken(credential, reach)),
    forget: (credential: GoogleCredential, token: string) => tokens.forget(fingerprint(credential), token),
  };
}

/** A key that was edited is another key. */
function fingerprint({ clientEmail, keyId, privateKey, tokenUri }: GoogleCredential): string {
  return createHash('sha256')
    .update(JSON.stringify([clientEmail, keyId, privateKey, tokenUri]))
    .digest('hex');
}

/** The signed word of the account is worth a token: it goes over TLS, or stays on this machine. */
function isTokenAddress(address: string, privateAllowed: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && privateAllowed && isLoopback(bareHost(hostname)));
}

async function signJwt(
  { clientEmail, privateKey, keyId, tokenUri }: GoogleCredential,
  issuedAt: number,
): Promise<string> {
  // Loaded with the first token: most starts of the program ask for none.
  const { SignJWT } = await import('jose');
  const jwt = new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + jwtLifetimeSeconds);
  try {
    return await jwt.sign(readPrivateKey(privateKey));
  } catch (error) {
    throw keyError('token.notRsa', 'private_key', error);
  }
}

function readPrivateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('not an RSA key');
  return key;
}

const tokenSchema = z.object({
  // Goes into a header.
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  expires_in: z.coerce.number().positive().max(86_400).catch(jwtLifetimeSeconds),
});

const errorSchema = z.object({
  error: z
    .string()
    .regex(/^\w{1,64}$/)
    .catch(''),
  error_description: z.string().catch(''),
});

/** What Google says when the account or its key was deleted, or never was. */
const keyErrors: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'account_disabled',
  'disabled_client',
  'deleted_client',
]);

/** Only the error's code is told: the rest of a response does not belong in logs (S10). */
function refusal(status: number, body: unknown): UpstreamError {
  const { error = '', error_description = '' } = errorSchema.safeParse(body).data ?? {};
  // Google's words for a clock that is wrong, which is ours: no key is to blame.
  if (/reasonable timeframe/i.test(error_description)) return passingError(coded('upstream.clockWrong'));
  if (status >= 400 && status < 500 && keyErrors.has(error)) return keyError('token.accountGone', error);
  return passingError(coded('token.status', { status: [status, error].filter(Boolean).join(' ') }));
}

function keyError(key: DetailKey, code: string, cause?: unknown): UpstreamError {
  const said = coded('token.google', { reason: coded(key) });
  return new UpstreamError({ status: 401, code, coded: said, kind: 'dead', cause });
}

function passingError(reason: string, cause?: unknown): UpstreamError {
  const said = coded('token.google', { reason });
  return new UpstreamError({ status: 502, code: 'token_exchange', coded: said, kind: 'retry', cause });
}
