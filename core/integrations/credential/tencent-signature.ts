import { createHash, createHmac } from 'node:crypto';
import type { UpstreamCredential } from '../../providers/adapter.ts';
import type { SignedRequest } from './signed-request.ts';

type TencentCredential = Extract<UpstreamCredential, { kind: 'tencent' }>;

const algorithm = 'TC3-HMAC-SHA256';
const signedHeaders = 'content-type;host;x-tc-action';

/** Tencent's signature of version 3 over content type, action and body. The host is the vendor's own, whatever proxy is before it. */
export function signTencent(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  { secretId, secretKey, service, host }: TencentCredential,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const date = now.toISOString().slice(0, 10);
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${lowered(headers['content-type'])}`,
    `host:${host}`,
    `x-tc-action:${lowered(headers['x-tc-action'])}`,
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  const scope = `${date}/${service}/tc3_request`;
  const text = [algorithm, timestamp, scope, sha256(canonical)].join('\n');
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secretKey}`);
  const signature = hmac(key, text).toString('hex');
  return {
    'x-tc-timestamp': timestamp,
    authorization: `${algorithm} Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

function lowered(value = ''): string {
  return value.trim().toLowerCase();
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
