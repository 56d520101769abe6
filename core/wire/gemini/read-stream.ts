import { madeCallId } from '../../canonical/call-id.ts';
import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { ChoiceProgress } from '../../canonical/choice-progress.ts';
import { readLogprobsResult } from '../../canonical/logprob.ts';
import { customToolInput } from '../../canonical/tool-arguments.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { coded } from '../../text/coded.ts';
import { failureOf, mapFinishReason } from './finish-reason.ts';
import { UsageMetadata } from './usage.ts';

interface Candidate {
  index: number;
  /** The text or thought that is being told; its signature ends it, behind whatever else the chunk says of it. */
  open: { part: number; kind: 'text' | 'reasoning'; opaque?: Opaque } | undefined;
  calledTool: boolean;
  /** Kept until the end: newer models send STOP before, with or after the call. */
  reason: string | undefined;
  citations: number;
}

/** Reads the chunks of streamGenerateContent; each is a whole response that contains a piece (Gemini sheet, section 5). */
export function createGeminiReader({ identity, choices, toolNames, customTools }: ReadContext): ChatStreamReader {
  const candidates = new Map<number, Candidate>();
  const progress = new ChoiceProgress(choices);
  const usage = new UsageMetadata();
  let parts = 0;
  let calls = 0;
  let started = false;
  let ended = false;
  let blocked: string | undefined;
  let { model } = identity;

  function start({ responseId, modelVersion }: JsonObject): ChatEvent[] {
    if (started) return [];
    started = true;
    const { created, id } = identity;
    return [{ type: 'start', id: textOf(responseId) || id, model: textOf(modelVersion) || identity.model, created }];
  }

  function candidateOf(index: number): Candidate {
    const known = candidates.get(index);
    if (known) return known;
    const made = { index, open: undefined, calledTool: false, reason: undefined, citations: 0 };
    candidates.set(index, made);
    progress.begin(index);
    return made;
  }

  function closeText(candidate: Candidate): ChatEvent[] {
    const { open } = candidate;
    candidate.open = undefined;
    return open ? [{ type: 'close', part: open.part, ...(open.opaque && { opaque: open.opaque }) }] : [];
  }

  function openText(candidate: Candidate, kind: 'text' | 'reasoning' = 'text'): ChatEvent {
    const part = parts++;
    candidate.open = { part, kind };
    return { type: 'open', part, choice: candidate.index, kind };
  }

  function readText(candidate: Candidate, part: JsonObject): ChatEvent[] {
    const kind = part.thought === true ? 'reasoning' : 'text';
    const text = textOf(part.text);
    const opaque = signatureOf(part);
    const events: ChatEvent[] = [];
    const isOver = candidate.open && (candidate.open.kind !== kind || candidate.open.opaque);
    if (isOver && text !== '') events.push(...closeText(candidate));
    if (text !== '' && !candidate.open) events.push(openText(candidate, kind));
    if (text !== '' && candidate.open) events.push({ type: 'delta', part: candidate.open.part, text });
    if (!opaque) return events;
    if (candidate.open && !candidate.open.opaque) {
      candidate.open.opaque = opaque;
      return events;
    }
    events.push(...closeText(candidate));
    // A signature by itself: a thought without words carries it.
    const lone = parts++;
    return [
      ...events,
      { type: 'open', part: lone, choice: candidate.index, kind: 'reasoning' },
      { type: 'close', part: lone, opaque },
    ];
  }

  function readCall(candidate: Candidate, part: JsonObject, call: JsonObject): ChatEvent[] {
    candidate.calledTool = true;
    const sent = textOf(call.name);
    const name = toolNames?.get(sent) ?? sent;
    const id = textOf(call.id) || madeCallId(identity.id, calls);
    calls += 1;
    const isCustom = customTools?.has(sent) ?? false;
    const text = writeJson(call.args ?? {});
    const opaque = signatureOf(part);
    const number = parts++;
    return [
      ...closeText(candidate),
      {
        type: 'open',
        part: number,
        choice: candidate.index,
        kind: 'toolCall',
        id,
        name,
        ...(isCustom && { custom: true }),
        ...(opaque && { opaque }),
      },
      { type: 'delta', part: number, text: isCustom ? customToolInput(text) : text },
      { type: 'close', part: number },
    ];
  }

  function readPart(candidate: Candidate, part: JsonObject): ChatEvent[] {
    if (typeof part.text === 'string') return readText(candidate, part);
    if (isJsonObject(part.functionCall)) return readCall(candidate, part, part.functionCall);
    const number = parts++;
    const closing = closeText(candidate);
    const close = { type: 'close', part: number } as const;
    if (isJsonObject(part.inlineData)) {
      const { mimeType, data } = part.inlineData;
      const open = { type: 'open', part: number, choice: candidate.index, kind: 'media' } as const;
      return [...closing, { ...open, mime: textOf(mimeType), data: textOf(data) }, close];
    }
    return [
      ...closing,
      { type: 'open', part: number, choice: candidate.index, kind: 'native', origin: 'gemini', raw: part },
      close,
    ];
  }

  function readCandidate(raw: JsonObject, position: number): ChatEvent[] {
    usage.ground(raw);
    const candidate = candidateOf(typeof raw.index === 'number' ? raw.index : position);
    const reason = textOf(raw.finishReason);
    if (reason !== '' && reason !== 'FINISH_REASON_UNSPECIFIED') {
      candidate.reason = reason;
      progress.finish(candidate.index);
    }
    const events = recordsOf(recordOf(raw.content).parts).flatMap((part) => readPart(candidate, part));
    const notes = [...cite(candidate, raw), ...readLikelihoods(candidate, raw)];
    return [...events, ...notes, ...(candidate.open?.opaque ? closeText(candidate) : [])];
  }

  function readLikelihoods({ open }: Candidate, { logprobsResult }: JsonObject): ChatEvent[] {
    const logprobs = readLogprobsResult(logprobsResult);
    return open?.kind === 'text' && logprobs.length > 0 ? [{ type: 'logprobs', part: open.part, logprobs }] : [];
  }

  /** Pages behind a response, told once each. */
  function cite(candidate: Candidate, raw: JsonObject): ChatEvent[] {
    const sources = recordsOf(recordOf(raw.groundingMetadata).groundingChunks).map(({ web }) => recordOf(web));
    const fresh = sources.slice(candidate.citations);
    if (fresh.length === 0 || parts === 0) return [];
    candidate.citations += fresh.length;
    // Behind a signature the text is over: a text without words carries them.
    const before = candidate.open?.kind === 'text' ? [] : [...closeText(candidate), openText(candidate)];
    const part = candidate.open?.part ?? 0;
    const cited = fresh.map(
      ({ uri, title }): ChatEvent => ({
        type: 'citation',
        part,
        citation: { url: textOf(uri), ...(typeof title === 'string' && { title }) },
      }),
    );
    return [...before, ...cited];
  }

  function fail(status: number, body: unknown): ChatEvent[] {
    ended = true;
    return [{ type: 'error', status, body }];
  }

  function finish(): ChatEvent[] {
    ended = true;
    const counted = usage.read(model);
    const all = [...candidates.values()];
    if (all.length === 0) all.push(candidateOf(0));
    return [
      ...all.flatMap((candidate) => closeText(candidate)),
      ...(counted ? [{ type: 'usage', usage: counted } as const] : []),
      ...all.map(
        ({ index, reason, calledTool }): ChatEvent => ({
          type: 'finish',
          choice: index,
          reason: mapFinishReason(reason ?? blocked ?? '', calledTool),
        }),
      ),
      { type: 'end' },
    ];
  }

  return {
    event(given) {
      // Without `alt=sse` an error comes as the one element of a list.
      const data = Array.isArray(given) ? given[0] : given;
      if (ended || !isJsonObject(data)) return [];
      if (isJsonObject(data.error)) return fail(Number(data.error.code) || 502, data);
      usage.add(data.usageMetadata);
      model = textOf(data.modelVersion) || model;
      const reason = textOf(recordOf(data.promptFeedback).blockReason);
      // Whatever a prompt was blocked for, it was blocked.
      if (reason !== '' && reason !== 'BLOCK_REASON_UNSPECIFIED') blocked = 'PROHIBITED_CONTENT';
      const events = [...start(data), ...recordsOf(data.candidates).flatMap(readCandidate)];
      if (parts > 0) return events;
      const failure = [...candidates.values()].map(({ reason: ended }) => failureOf(ended)).find(Boolean);
      return failure ? fail(failure.status, failure) : events;
    },
    end() {
      if (ended) return [];
      return blocked !== undefined || progress.isWhole
        ? finish()
        : fail(
            502,
            new UpstreamError({ status: 502, code: 'upstream_broken', coded: coded('upstream.cutOff'), kind: 'retry' }),
          );
    },
  };
}

function signatureOf({ thoughtSignature }: JsonObject): Opaque | undefined {
  const value = textOf(thoughtSignature);
  return value === '' ? undefined : { origin: 'gemini', kind: 'signature', value };
}
