import type { RelayRequest } from '../canonical/request.ts';
import type { ReadCall, RelayBody, RelayCall } from './call.ts';

/** Bodies beyond this are passed on by their scan alone (performance: parsing blocks the loop for milliseconds). */
export const parsedLimitBytes = 1024 * 1024;

/** What the relay has to know of a call, with its body parsed where that is quick. Throws AppError for what the client got wrong. */
export async function readCall(
  { protocol, pathModel }: Pick<RelayCall, 'protocol' | 'pathModel'>,
  body: RelayBody,
): Promise<{ request: RelayRequest; json: ReadCall['json'] }> {
  const request = protocol.parse(body.fields, pathModel);
  const json = body.size <= parsedLimitBytes ? await body.json() : undefined;
  if (json) protocol.checkBody?.(json);
  return { request, json };
}
