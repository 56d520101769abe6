import { alphanumericsOf, redemptionKeyBytes, tokenKeyLength } from './random-key.ts';
import type { SecretBox } from './secret-box.ts';

/**
 * Keys that follow from a request which is sent with a key of its own: a browser sends a request again by itself when its connection
 * ends before the response, and what it has made then is found by its key, whichever process it comes to. With other values it is
 * another request. Without the secret they are as unknown as random ones.
 */
export interface RepeatedRequest {
  /** What is made, and for whom. */
  what: string;
  requestKey: string;
  values: object;
}

type Box = Pick<SecretBox, 'derived'>;

const bytesOf = (box: Box, { what, requestKey, values }: RepeatedRequest, part: number): Buffer =>
  box.derived(JSON.stringify([what, requestKey, values, part]));

export function repeatableAlphanumerics(box: Box, request: RepeatedRequest, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++) text += alphanumericsOf(bytesOf(box, request, part));
  return text.slice(0, length);
}

export const repeatableTokenKey = (box: Box, request: RepeatedRequest): string =>
  repeatableAlphanumerics(box, request, tokenKeyLength);

export const repeatableRedemptionKey = (box: Box, request: RepeatedRequest, index: number): string =>
  bytesOf(box, request, index).subarray(0, redemptionKeyBytes).toString('hex');
