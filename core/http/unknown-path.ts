import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { ClientWriter } from '../relay/deliver/client-writer.ts';
import { jsonHeaders } from '../relay/deliver/respond.ts';
import { dialectOf } from '../wire/error-dialect.ts';
import { taskErrorsOf } from '../wire/task-path.ts';
import { envelopeError } from './console/envelope.ts';
import { preferredLanguage } from './language.ts';
import { isNotOffered } from './not-offered.ts';
import { openRelayCall, sendRelayError } from './relay/relay-call.ts';
import { pathOf, queryOf } from './request-path.ts';
import type { RawExchange } from './route.ts';

const maxShownLength = 200;

/** For the console: our envelope, and beside it the member that clients of the OpenAI family read (console reference, section 1). */
export function unknownPathBody(incoming: IncomingMessage) {
  const { method = '', headers } = incoming;
  const missing = new AppError('route.notFound', { method, path: shownPath(incoming) });
  const { body } = envelopeError(missing, preferredLanguage(headers['accept-language'], 'zh'));
  return { ...body, ...openAiBody(`Invalid URL (${method} ${shownPath(incoming)})`) };
}

/** For the relay: the error as the SDK expects it that most likely asked. With a key or without, no call of this kind is served. */
export function respondToUnknownRelayPath(exchange: RawExchange): void {
  const { incoming, outgoing, headers } = exchange;
  const call = openRelayCall(exchange);
  if (isNotOffered(incoming.method ?? '', pathOf(incoming))) {
    sendRelayError(call, incoming, new AppError('route.notOffered'));
    return;
  }
  if (taskErrorsOf(pathOf(incoming))) {
    const { method = '' } = incoming;
    sendRelayError(call, incoming, new AppError('route.notFound', { method, path: shownPath(incoming) }));
    return;
  }
  const { id } = call;
  // An unread body is drained, so that the client gets to read the response.
  incoming.resume();
  const bytes = Buffer.from(JSON.stringify(relayBody(incoming, id)));
  new ClientWriter(outgoing, headers).respond(404, jsonHeaders(id, bytes.length), bytes);
}

function relayBody(incoming: IncomingMessage, requestId: string): unknown {
  const message = `Invalid URL (${incoming.method} ${shownPath(incoming)})`;
  const dialect = dialectOf(pathOf(incoming), incoming.headers, queryOf(incoming));
  if (dialect === 'gemini') return { error: { code: 404, message, status: 'NOT_FOUND' } };
  if (dialect === 'anthropic')
    return { type: 'error', error: { type: 'not_found_error', message }, request_id: requestId };
  if (dialect === 'cohere') return { id: requestId, message };
  return openAiBody(`${message} (request id: ${requestId})`);
}

const openAiBody = (message: string) => ({ error: { message, type: 'invalid_request_error', param: '', code: '' } });

/** Nothing that means something to a terminal or a page, and no more of it than tells which address was wrong. */
function shownPath(incoming: IncomingMessage): string {
  return pathOf(incoming)
    .slice(0, maxShownLength)
    .replace(/[^\w./:~%-]/g, '?');
}
