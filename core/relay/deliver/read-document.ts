import type { ChatEvent } from '../../canonical/chat-event.ts';
import type { Usage } from '../../canonical/usage.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { writeAnthropicUsage } from '../../wire/anthropic-messages/write-usage.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import { placeWords } from '../../wire/openai-chat/choice-words.ts';
import { createResponseMender, isStrayResponse } from '../../wire/openai-chat/mend-response.ts';
import { wantsPacked, withPackedVectors } from '../../wire/openai-embedding/pack-vectors.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import { respondsInText } from '../meter/estimate.ts';
import { countOwnPrompt } from '../meter/final-usage.ts';
import type { CommonCall } from '../request/common-form.ts';
import type { Conversion } from '../request/conversion.ts';
import { errorOf, identityOf, type PreparedAttempt } from '../run.ts';
import { collectStream } from './collect-stream.ts';
import { wantsDrawn, withDrawn } from './fetch-drawn.ts';
import { countPictures } from './picture-count.ts';
import { mayUseHostedTools, refuseHiddenError, refuseHollow } from './response-document.ts';
import { noteEvents, noteFacts } from './response-facts.ts';
import { itemIdsOf } from './stream-reader.ts';

/** Notes what a whole response says; returns it, or a promise of it, when it has to be rewritten for the client. Throws UpstreamError. */
export function readDocument(attempt: PreparedAttempt, json: unknown): unknown {
  refuseHiddenError(attempt, json);
  const { readResponse } = attempt.built;
  const response = readResponse ? readResponse(json) : json;
  refuseHollow(attempt, response);
  if (attempt.conversion) return convertResponse(attempt, attempt.conversion, response);
  if (attempt.common) return convertCommon(attempt, attempt.common, response);
  const { protocol } = attempt.run.call;
  attempt.meter.noteResponseId(isJsonObject(response) ? response.id : undefined);
  if (attempt.run.call.trace) noteFacts(attempt, response);
  if (protocol.name === 'openai-responses') attempt.meter.itemIds = itemIdsOf(response);
  attempt.meter.pictures = countPictures(protocol, response);
  if (!noteUsage(attempt, protocol.readUsage(response))) {
    for (const text of protocol.readText(response)) attempt.meter.noteWhole(text);
    if (readResponse && protocol.name === 'openai-embedding') return withCountedPrompt(attempt, response);
    if (protocol.name === 'anthropic-messages' && isJsonObject(response) && !isJsonObject(response.usage))
      return withCountedUsage(attempt, response);
  }
  if (wantsDrawn(attempt)) return withDrawn(attempt, response);
  if (asksForPacked(attempt)) return withPackedVectors(response) ?? (readResponse && response);
  if (!attempt.format && isStray(protocol, response))
    return createResponseMender(identityOf(attempt))(placeWords(response, 'message'));
  return attempt.format?.convert(response) ?? (readResponse && response);
}

/** What the client asks for may not be in the response as it comes. */
export function mayRewrite(attempt: PreparedAttempt): boolean {
  return mayUseHostedTools(attempt.run) || wantsDrawn(attempt);
}

export function isStray({ name }: Protocol, response: unknown): boolean {
  return name === 'openai-chat' && isStrayResponse(response);
}

export function asksForPacked({ run }: Pick<PreparedAttempt, 'run'>): boolean {
  return run.call.protocol.name === 'openai-embedding' && wantsPacked(run.body.fields);
}

/** OpenAI's vectors always come with a usage, and its clients read it: where the vendor counts nothing, they see what is billed. */
async function withCountedPrompt({ run, meter }: PreparedAttempt, response: unknown): Promise<unknown> {
  if (!isJsonObject(response) || response.usage !== undefined) return response;
  const { prompt } = (await meter.counted(() => countOwnPrompt(run, meter.counter))).usage;
  return { ...response, usage: { prompt_tokens: prompt, total_tokens: prompt } };
}

/** Anthropic's clients read a usage in every message: where a reseller counts nothing, they see what is billed. */
async function withCountedUsage(attempt: PreparedAttempt, response: JsonObject): Promise<JsonObject> {
  const counted = await completedUsage(attempt);
  return { ...response, usage: writeAnthropicUsage(counted.usage) };
}

function convertCommon(attempt: PreparedAttempt, { protocol, read }: CommonCall, response: unknown): unknown {
  noteUsage(attempt, protocols[protocol].readUsage(response));
  return read(response);
}

function convertResponse(attempt: PreparedAttempt, conversion: Conversion, json: unknown): unknown {
  return responseOf(attempt, conversion, conversion.upstream.readResponse(json, conversion.read));
}

/** A stream as the whole response that its client wants. */
export async function acceptCollected(attempt: PreparedAttempt, conversion: Conversion, body: Buffer): Promise<Buffer> {
  const { upstream, read } = conversion;
  const { adapter } = attempt;
  const events = await collectStream(body, conversion.own?.createStreamDecoder?.(), {
    reader: upstream.createStreamReader(read),
    isError: (event) => adapter.hiddenErrorStatus(event) !== undefined,
  });
  return Buffer.from(writeJson(await responseOf(attempt, conversion, events)));
}

/** A promise where the vendor tells no usage, or a part of it: the client is told what is going to be billed. */
function responseOf(attempt: PreparedAttempt, { client, write }: Conversion, events: readonly ChatEvent[]): unknown {
  const { error, status, usage, text, isInterim } = readingOf(events);
  if (error) throw errorOf(attempt, error, status);
  if (attempt.run.call.trace) noteEvents(attempt.meter, events);
  if (noteUsage(attempt, usage, isInterim)) return client.writeResponse(events, write);
  attempt.meter.noteWhole(text);
  const own = events.filter(({ type }) => type !== 'usage');
  return completedUsage(attempt).then((counted) =>
    client.writeResponse([...own.slice(0, -1), { type: 'usage', usage: counted.usage }, ...own.slice(-1)], write),
  );
}

/** What is billed for a whole response whose upstream does not count all of it. */
function completedUsage({ run, meter }: PreparedAttempt) {
  return meter.completed(true, run.promptEstimate, () => countOwnPrompt(run, meter.counter));
}

/** False where the upstream leaves it to us to count, in whole or in part: for that the text is needed. */
export function noteUsage({ run, meter }: PreparedAttempt, usage: Usage | undefined, isInterim?: boolean): boolean {
  meter.noteUsage(usage, isInterim);
  return meter.usage !== undefined && !(meter.isPartlyReported && respondsInText(run.call.protocol));
}
