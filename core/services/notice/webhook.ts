import { createHmac } from 'node:crypto';
import type { FetchedHead, Outbound } from '../../integrations/outbound/outbound.ts';

export interface WebhookCall {
  address: string;
  /** JSON text. */
  body: string;
  /** Signs the body; left out = not signed. */
  secret?: string;
  /** The same at every try, so that a receiver can drop repeats. */
  eventId?: string;
  /** For the log, in place of an address that may carry a key. */
  receiver: string;
}

const timeoutMs = 5000;
const maxResponseBytes = 64 * 1024;

/** Before the second try, the third and so on; after the last one it is given up. */
export const retryAfterSeconds = [60, 300, 1800, 7200, 21_600] as const;

/** Calls an address that a user chose. Redirects are not followed: they count as a failure, as does all but 2xx. */
export async function callWebhook(
  outbound: Pick<Outbound, 'fetchBytes'>,
  { address, body, secret, eventId, receiver }: WebhookCall,
): Promise<void> {
  let taken: FetchedHead | undefined;
  const response = outbound.fetchBytes(address, {
    method: 'POST',
    body,
    profile: 'user',
    timeoutMs,
    maxBytes: maxResponseBytes,
    headers: {
      'content-type': 'application/json',
      ...(eventId !== undefined && { 'x-webhook-id': eventId }),
      ...(secret && { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') }),
    },
    async onHead(head) {
      taken = head;
    },
    onChunk: () => undefined,
  });
  // What is wrong with a body that says nothing to us is no reason to call again: the receiver has the event.
  const { status } = await response.catch((error: unknown) => {
    if (taken) return taken;
    throw error;
  });
  if (status < 200 || status > 299) throw new Error(`${receiver} responded with ${status}`);
}
