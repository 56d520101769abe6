import type { Readable } from 'node:stream';
import type { OutboundRequest } from '../../integrations/outbound/outbound-request.ts';
import type { UpstreamCredential } from '../../providers/adapter.ts';
import type { RelayBody } from '../call.ts';
import type { RelayDependencies } from '../run.ts';

/** Adds to a request what proves who we are; that may depend on every byte that is sent. */
export async function authorize(
  request: OutboundRequest,
  source: ReturnType<RelayBody['source']> | undefined,
  credential: UpstreamCredential,
  { authorizer }: Pick<RelayDependencies, 'authorizer'>,
): Promise<void> {
  const { url, method, headers, privateAllowed, proxy } = request;
  const body = source ? await readWhole(source.open()) : Buffer.alloc(0);
  const reach = { privateAllowed, ...(proxy ? { proxy } : {}) };
  const proof = await authorizer.authorize({ url, method, headers, body }, credential, reach);
  Object.assign(headers, proof.headers);
  request.url = proof.url ?? url;
}

export async function readWhole(body: Buffer | Readable): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
