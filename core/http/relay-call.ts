import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newRequestId } from '../lib/request-id.ts';
import { answerError, answerHeaders } from '../relay/answer.ts';
import type { RelayCall } from '../relay/call.ts';
import { ClientWriter } from '../relay/client-writer.ts';
import { preferredLanguage } from './language.ts';

/** What every relay call has before anybody knows whose it is. */
export type RelayEntry = Pick<RelayCall, 'id' | 'outgoing' | 'query' | 'pathModel' | 'language' | 'startedAt'>;

const noQuery = new URLSearchParams();

/** Takes the raw response out of the framework's hands; from here on the relay answers. */
export function openRelayCall(request: FastifyRequest, reply: FastifyReply): RelayEntry {
  reply.hijack();
  const url = request.raw.url ?? '';
  const question = url.indexOf('?');
  return {
    id: newRequestId(),
    outgoing: reply.raw,
    query: question < 0 ? noQuery : new URLSearchParams(url.slice(question + 1)),
    pathModel: (request.params as { model?: string }).model,
    language: preferredLanguage(request.headers['accept-language'], 'en'),
    startedAt: performance.now(),
  };
}

/** For calls that end before the relay begins; an unread body is drained, so that the client gets to read the answer. */
export function answerRelayError(entry: RelayEntry, request: FastifyRequest, error: unknown): void {
  request.raw.resume();
  answerError(entry, new ClientWriter(entry.outgoing), error);
}

/** A plain answer of a keyed route that no upstream is asked for. */
export function sendJson({ id, outgoing }: RelayEntry, body: unknown): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...answerHeaders(id),
  });
  outgoing.end(text);
}
