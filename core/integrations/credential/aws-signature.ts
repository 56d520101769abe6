import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { UpstreamCredential } from '../../providers/adapter.ts';
import type { SignedRequest } from './signed-request.ts';

type AwsCredential = Extract<UpstreamCredential, { kind: 'aws' }>;

/** Signature Version 4 over method, address, content type and body. Other headers may still be changed on the way. */
export async function signAws(
  { url, method, headers, body }: SignedRequest,
  { accessKeyId, secretAccessKey, sessionToken, region, service }: AwsCredential,
  now: Date,
): Promise<Record<string, string>> {
  const { protocol, hostname, host, pathname, searchParams } = new URL(url);
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256 });
  const contentType = headers['content-type'];
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname,
      // Signed as it is sent, and so with its percent signs escaped once more.
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: {
        host,
        ...(contentType && { 'content-type': contentType }),
      },
      body,
    },
    { signingDate: now },
  );
  const { host: _host, 'content-type': _type, ...added } = signed.headers;
  return added;
}
