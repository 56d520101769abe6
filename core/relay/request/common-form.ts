import type { Loss } from '../../canonical/loss.ts';
import type { ProviderAdapter } from '../../providers/adapter.ts';
import type { CommonForm } from '../../wire/protocol.ts';
import type { ReadCall } from '../call.ts';
import { longBytes, ObjectBody } from './object-body.ts';

/** A call that is not a chat, in the form every upstream of its kind knows. */
export interface CommonCall {
  protocol: CommonForm['protocol'];
  body: ObjectBody;
  losses: readonly Loss[];
  /** The response in the client's own form. Throws UpstreamError for what is not a response. */
  read(response: unknown): unknown;
}

/** Undefined when the vendor knows the client's own form, or the protocol has no other. Throws AppError (`convert.*`). */
export async function commonCall(
  run: ReadCall,
  adapter: ProviderAdapter,
  model: string,
): Promise<CommonCall | undefined> {
  const { name, common } = run.call.protocol;
  if (!common || adapter.protocols.has(name)) return undefined;
  const request = run.json ?? (await run.body.json()) ?? {};
  const { body, losses } = common.write(request, model);
  const read = (response: unknown) => common.read(response, request);
  const sent = new ObjectBody(body);
  if (run.body.size > longBytes) await sent.prepare();
  return { protocol: common.protocol, body: sent, losses, read };
}
