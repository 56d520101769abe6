import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { newRequestId } from '../../lib/request-id.ts';
import type { RelayCall } from '../../relay/call.ts';
import { ClientWriter } from '../../relay/deliver/client-writer.ts';
import { jsonHeaders, writeError } from '../../relay/deliver/respond.ts';
import { dialectOf, errorDialects } from '../../wire/error-dialect.ts';
import { taskErrorsOf } from '../../wire/task-path.ts';
import { preferredLanguage } from '../language.ts';
import { pathOf, queryOf } from '../request-path.ts';
import type { RawExchange } from '../route.ts';

/** What every relay call has before its caller is known. */
export type RelayEntry = Pick<
  RelayCall,
  'id' | 'outgoing' | 'headers' | 'query' | 'clientHeaders' | 'errors' | 'pathModel' | 'language' | 'startedAt'
>;

export function openRelayCall({ incoming, outgoing, headers, params }: RawExchange): RelayEntry {
  const query = queryOf(incoming);
  const path = pathOf(incoming);
  const errors = taskErrorsOf(path) ?? errorDialects[dialectOf(path, incoming.headers, query)];
  // Google's clients put our key there: it goes no further.
  query.delete('key');
  return {
    id: newRequestId(),
    outgoing,
    headers,
    query,
    clientHeaders: incoming.headers,
    errors,
    pathModel: params.model,
    language: preferredLanguage(incoming.headers['accept-language'], 'en'),
    startedAt: performance.now(),
  };
}

/** Field by field, because every call passes here. */
export function relayCall(
  entry: RelayEntry,
  protocol: RelayCall['protocol'],
  caller: RelayCall['caller'],
  readBody: RelayCall['readBody'],
): RelayCall {
  return {
    id: entry.id,
    outgoing: entry.outgoing,
    headers: entry.headers,
    query: entry.query,
    clientHeaders: entry.clientHeaders,
    errors: entry.errors,
    pathModel: entry.pathModel,
    language: entry.language,
    startedAt: entry.startedAt,
    protocol,
    caller,
    readBody,
  };
}

/** For calls that end before the relay begins; a short body is drained, so that the connection can be used again. */
export function sendRelayError(entry: RelayEntry, incoming: IncomingMessage, error: unknown): void {
  const client = new ClientWriter(entry.outgoing, entry.headers);
  if (!client.hasLongBody) incoming.resume();
  writeError(entry, client, error);
}

/** A plain response of a keyed route that no upstream is asked for. */
export function sendJson({ id, outgoing, headers }: RelayEntry, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  new ClientWriter(outgoing, headers).respond(200, jsonHeaders(id, bytes.length), bytes);
}
