import { clientHeaders } from '../integrations/outbound/header-rules.ts';
import type { UpstreamAnswer } from '../integrations/outbound/upstream-client.ts';
import type { HeaderList } from './client-writer.ts';
import { isMistyped } from './reshape.ts';
import type { Attempt } from './serve-on.ts';

/** Headers of a successful answer: the few of the upstream's that pass, and our own. `failures` are the channels tried before. */
export function answerHeaders(
  { run, channel, upstreamModel }: Attempt,
  answer: UpstreamAnswer,
  failures: number,
  length: number | undefined,
): HeaderList {
  const { call, request } = run;
  const type = request.stream
    ? 'text/event-stream; charset=utf-8'
    : isMistyped(call.protocol, answer)
      ? 'application/json; charset=utf-8'
      : undefined;
  const headers: HeaderList = clientHeaders(answer.headers, Date.now(), type);
  headers.push('x-request-id', call.id, 'x-oneapi-request-id', call.id);
  if (request.stream) headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no');
  else headers.push('cache-control', 'no-store');
  if (length !== undefined) headers.push('content-length', length);
  // When it was not the first choice, the answer says what really served.
  if (failures > 0 || upstreamModel !== request.model) {
    const model = encodeURIComponent(upstreamModel);
    headers.push('x-tollgate-served', `channel=${channel.id}; model=${model}; attempt=${failures + 1}`);
  }
  return headers;
}
