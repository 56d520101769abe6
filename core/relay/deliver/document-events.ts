import { isChatProtocol } from '../../canonical/chat-request.ts';
import { emptyChatRequest } from '../../canonical/empty-request.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import { chatClients } from '../../wire/chat-client.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import { chatUpstreams } from '../../wire/chat-upstream.ts';
import { documentChunks, protocols } from '../../wire/registry.ts';
import { identityOf, type SentAttempt } from '../run.ts';
import {
  contentTypeOf,
  isPage,
  notAResponse,
  parseDocument,
  refuseHiddenError,
  refuseHollow,
  responseIdentity,
} from './response-document.ts';

/** A transcript may be plain text, which begins with any letter. */
export function beginsDocument(attempt: SentAttempt, start: string): boolean {
  if (/^[[{<]/.test(start)) return true;
  return isPlainText(attempt) && !/^(data|event|id|retry)?:/.test(start);
}

function isPlainText({ run, response }: SentAttempt): boolean {
  return run.call.protocol.textDocument !== undefined && contentTypeOf(response).startsWith('text/plain');
}

/** A document sent instead of a stream, as the upstream's own events: they pass through the same reading as any stream. */
export function documentEvents(attempt: SentAttempt, body: Buffer): string {
  const json = readDocument(attempt, body);
  refuseHiddenError(attempt, json);
  refuseHollow(attempt, json);
  const { call } = attempt.run;
  const spoken = attempt.conversion?.protocol ?? call.protocol.name;
  if (spoken === 'vendor') throw notAResponse('upstream.notStream');
  if (!isChatProtocol(spoken) || spoken === 'openai-chat') {
    const chunks = documentChunks(spoken, json, identityOf(attempt)).map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    return chunks.join('') + protocols[spoken].terminal;
  }
  // All chunks of a Gemini stream as one list: what a proxy makes of it that drops `alt=sse`.
  if (spoken === 'gemini' && Array.isArray(json))
    return json.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const context = { identity: responseIdentity(attempt) };
  const events = chatUpstreams[spoken].readResponse(json, context);
  const writer = chatClients[spoken].createStreamWriter({
    ...context,
    promptTokens: attempt.run.promptEstimate,
    wantsUsage: true,
    request: emptyChatRequest(spoken, context.identity.model),
  });
  const written = events.filter(({ type }) => type !== 'end').map((event) => writer.event(event));
  return written.join('') + writer.end(readingOf(events).usage ?? emptyUsage);
}

function readDocument(attempt: SentAttempt, body: Buffer): unknown {
  try {
    return parseDocument(body);
  } catch (error) {
    const { textDocument } = attempt.run.call.protocol;
    if (!textDocument || !isPlainText(attempt) || isPage(body)) throw error;
    return textDocument(body.toString('utf8'));
  }
}
