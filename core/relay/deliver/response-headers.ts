import type { Loss } from '../../canonical/loss.ts';
import { clientHeaders } from '../../integrations/outbound/header-rules.ts';
import type { SentAttempt } from '../run.ts';
import type { HeaderList } from './client-writer.ts';
import { isMistyped } from './response-document.ts';

/**
 * Headers of a successful response: the few of the upstream's that pass, and our own. `failures` are the channels tried before;
 * `fileType` is that of a file that the vendor packed into JSON, and that the client gets as bytes.
 */
export function responseHeaders(
  attempt: SentAttempt,
  failures: number,
  { length, fileType }: { length?: number; fileType?: string | undefined } = {},
): HeaderList {
  const { run, channel, upstreamModel, response } = attempt;
  const { losses } = attempt.built;
  const { call, request } = run;
  const conversion = attempt.conversion ?? attempt.common;
  const isJson = request.stream ? call.protocol.streamsArray : conversion || isMistyped(call.protocol, response);
  const otherType = request.stream ? 'text/event-stream; charset=utf-8' : undefined;
  const type = isJson ? 'application/json; charset=utf-8' : otherType;
  const headers: HeaderList = clientHeaders(response.headers, {
    now: Date.now(),
    contentType: fileType ?? type,
    secrets: [channel.key],
  });
  headers.push('x-request-id', call.id, 'x-oneapi-request-id', call.id);
  // The name by which Anthropic's SDKs show it.
  if (call.protocol.name === 'anthropic-messages') headers.push('request-id', call.id);
  if (request.stream) headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no');
  else headers.push('cache-control', 'no-store');
  if (length !== undefined) headers.push('content-length', length);
  if (losses.length > 0) headers.push('x-tollgate-dropped', lossList(losses));
  // When it was not the first choice, the response says what really served.
  if (failures > 0 || upstreamModel !== request.model) {
    const model = encodeURIComponent(upstreamModel);
    headers.push('x-tollgate-served', `channel=${channel.id}; model=${model}; attempt=${failures + 1}`);
  }
  return headers;
}

const maxListLength = 1024;

/** Fields as the client spelled them; an emulated one is marked. */
function lossList(losses: readonly Loss[]): string {
  const names = losses.map(
    ({ field, kind }) => `${field.replace(/[^\x21-\x7e]/g, '')}${kind === 'emulated' ? ';emulated' : ''}`,
  );
  const list = names.join(', ');
  return list.length <= maxListLength ? list : `${list.slice(0, maxListLength - 4)}, ...`;
}
