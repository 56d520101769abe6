import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamCredential } from '../../providers/adapter.ts';
import { bareHost } from '../outbound/address-rules.ts';
import { isLoopback } from '../outbound/ip-class.ts';
import type { AuthorizerDependencies } from './authorizer.ts';

type GoogleCredential = Extract<UpstreamCredential, { kind: 'google' }>;

/** How far the word of whoever saved the channel goes, and the way out. */
export interface TokenReach {
  privateAllowed: boolean;
  proxy?: string | undefined;
}

interface HeldToken {
  token: string;
  /** Unix ms. */
  goodUntil: number;
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const jwtLifetimeSeconds = 3600;
/** A token about to expire may not live as long as the call it is for. */
const marginMs = 5 * 60_000;
const timeoutMs = 15_000;
const largestAnswer = 64 * 1024;
/** Of keys in use at a time; those longest unused are asked for again. */
const mostTokens = 1000;

/** Access tokens of service accounts: exchanged once per key, however many calls need one, and held until shortly before their end. */
export function createGoogleTokens({ outbound, now = Date.now }: AuthorizerDependencies) {
  const held = new Map<string, HeldToken>();
  const running = new Map<string, Promise<string>>();

  async function get(credential: GoogleCredential, reach: TokenReach): Promise<string> {
    const name = fingerprint(credential);
    const token = held.get(name);
    if (token && token.goodUntil > now()) return token.token;
    // Each call waits for what its own reach allows: another one's proxy or rights are not its own.
    const flight = JSON.stringify([name, reach.privateAllowed, reach.proxy]);
    const pending = running.get(flight) ?? exchange(name, credential, reach).finally(() => running.delete(flight));
    running.set(flight, pending);
    return pending;
  }

  async function exchange(name: string, credential: GoogleCredential, reach: TokenReach): Promise<string> {
    const { token, lifetimeMs } = await requestToken(credential, reach);
    held.delete(name);
    held.set(name, { token, goodUntil: now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) });
    const oldest = held.keys().next();
    if (held.size > mostTokens && !oldest.done) held.delete(oldest.value);
    return token;
  }

  async function requestToken(credential: GoogleCredential, { privateAllowed, proxy }: TokenReach) {
    const { tokenUri } = credential;
    if (!isTokenAddress(tokenUri, privateAllowed))
      throw keyError('Its token_uri is not an https address.', 'token_uri');
    const assertion = await signJwt(credential, Math.floor(now() / 1000));
    const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    const { status, body } = await outbound
      .fetchJson(tokenUri, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        profile: privateAllowed ? 'operatorPrivate' : 'operator',
        timeoutMs,
        maxBytes: largestAnswer,
        ...(proxy && { proxy }),
      })
      .catch((error: unknown) => {
        throw passingError('the token server could not be reached', error);
      });
    const answer = tokenSchema.safeParse(body).data;
    if (status !== 200 || !answer) throw refusal(status, body);
    return { token: answer.access_token, lifetimeMs: answer.expires_in * 1000 };
  }

  /** Unless a newer one has taken its place already. */
  function forget(credential: GoogleCredential, token: string): void {
    const name = fingerprint(credential);
    if (held.get(name)?.token === token) held.delete(name);
  }

  return { get, forget };
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
  const jwt = new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + jwtLifetimeSeconds);
  try {
    return await jwt.sign(readPrivateKey(privateKey));
  } catch (error) {
    throw keyError('Its private_key is no RSA key.', 'private_key', error);
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

/** Only the error's code is told: the rest of an answer is nothing for whoever reads logs (S10). */
function refusal(status: number, body: unknown): UpstreamError {
  const { error = '', error_description = '' } = errorSchema.safeParse(body).data ?? {};
  // Google's words for a clock that is wrong, which is ours: no key is to blame.
  if (/reasonable timeframe/i.test(error_description))
    return passingError('the clock of this server is wrong by minutes; set it by a time service');
  if (status >= 400 && status < 500 && keyErrors.has(error))
    return keyError('The account or its key was deleted or disabled.', error);
  return passingError(`the token server answered ${status}${error && ` (${error})`}`);
}

function keyError(reason: string, code: string, cause?: unknown): UpstreamError {
  const message = `The service account of this channel gets no access token. ${reason}`;
  return new UpstreamError({ status: 401, code, message, kind: 'dead', cause });
}

function passingError(reason: string, cause?: unknown): UpstreamError {
  const message = `No access token for the service account of this channel: ${reason}.`;
  return new UpstreamError({ status: 502, code: 'token_exchange', message, kind: 'retry', cause });
}
