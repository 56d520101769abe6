import type { ClientWriter } from '../deliver/client-writer.ts';
import { type CountedRule, limitHeaders } from './limit-headers.ts';

/** Whatever response the client gets, it says how much of its limits is left. */
export function showLimits(
  client: Pick<ClientWriter, 'limits'>,
  { name }: { readonly name: string },
  counted: readonly CountedRule[],
  nowSeconds: number,
): void {
  const headers = limitHeaders(name, counted, nowSeconds);
  if (headers.length > 0) client.limits = headers;
}
