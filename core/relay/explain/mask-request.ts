import { isJsonObject, textOf } from '../../lib/json-value.ts';
import { maskKey } from '../../lib/mask-key.ts';
import type { UpstreamCredential } from '../../providers/adapter.ts';

/** Shorter parts of a key are regions and names, which are in addresses for good reasons. */
const shortestSecret = 16;
const secretHeader = /authorization|key|token|secret|cookie|signature/i;

/** The secret texts inside a channel's key. */
export function secretsOf(key: string): string[] {
  const account = parsed(key);
  if (isJsonObject(account)) return [key, textOf(account.private_key)].filter((text) => text.length >= shortestSecret);
  const parts = [key, ...key.split('|').map((part) => part.trim())];
  return [...new Set(parts)].filter((part) => part.length >= shortestSecret || (part === key && part.length > 3));
}

function parsed(key: string): unknown {
  if (!key.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(key);
  } catch {
    // Some vendor's own form: it is one secret as a whole.
    return undefined;
  }
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, maskKey(secret)), text);
}

export function maskUrl(url: string, secrets: readonly string[]): string {
  const named = url
    .replace(/:\/\/[^/?#@]*@/, '://…@')
    .replace(/([?&][\w-]*(?:key|token|sig|signature|secret|authorization)=)[^&#]*/gi, '$1…');
  return hideSecrets(named, secrets);
}

export function maskHeaders(headers: Record<string, string>, secrets: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? maskCredential(value) : hideSecrets(value, secrets),
    ]),
  );
}

/** `Bearer` and its like stay to be seen. */
function maskCredential(value: string): string {
  const [, scheme = '', secret = ''] = /^([A-Za-z]+ +)?(.*)$/s.exec(value) ?? [];
  return `${scheme}${maskKey(secret)}`;
}

/** Whose signature or token is added when the call is sent. */
export function signerOf(credential: UpstreamCredential | undefined): string {
  if (!credential) return '';
  if (credential.kind === 'google') return `Google ${credential.clientEmail}`;
  if (credential.kind === 'exchange') return `Token of ${new URL(credential.request.url).host}`;
  if (credential.kind === 'tencent') return `Tencent ${maskKey(credential.secretId)} ${credential.service}`;
  return `AWS ${maskKey(credential.accessKeyId)} ${credential.region}`;
}
