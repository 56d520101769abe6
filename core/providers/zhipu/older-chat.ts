import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, UpstreamRequest } from '../adapter.ts';
import { originOf, urlSegment } from '../base-url.ts';
import { defineNearOpenAiCodec, type NearOpenAi, writeNearOpenAi } from '../near-openai.ts';
import { contentOf, mergeTurns, splitSystem, systemAsTurns } from '../text-turn.ts';
import { typeFacts } from '../type-fact.ts';
import { olderErrors } from './error-rule.ts';
import { readZhipuKey } from './key.ts';
import { createOlderDecoder } from './older-stream.ts';
import { zhipuToken } from './token.ts';

const { label, defaultBaseUrl } = typeFacts(16);

const vendor: NearOpenAi = {
  label,
  hasVision: false,
  hasTools: false,
  unsaid: [
    'maxOutput',
    'topK',
    'seed',
    'frequencyPenalty',
    'presencePenalty',
    'stop',
    'userId',
    'reasoning',
    'parallelTools',
  ],
};

/** Chat of version 3, for the models that were never moved to version 4. */
export const olderChat: OwnChat = {
  codec: defineNearOpenAiCodec({
    writeRequest,
    chunkOf,
    responseOf,
    isResponse: (response) => recordsOf(recordOf(recordOf(response).data).choices).length > 0,
    hiddenErrorStatus: olderErrors.hiddenErrorStatus,
  }),
  buildRequest,
  createStreamDecoder: createOlderDecoder,
};

function* writeRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const { messages, losses, changes } = yield* writeNearOpenAi(request, context, vendor);
  const { system, others } = splitSystem(messages);
  if (system !== '') losses.emulate(clientField(request.origin, 'messages'));
  const turns = others.map((message) => ({ role: textOf(message.role), content: contentOf(message) }));
  const { temperature, topP } = request.sampling;
  return {
    losses: losses.list,
    ...changes,
    body: {
      prompt: [...systemAsTurns(system), ...mergeTurns(turns)],
      ...(temperature !== undefined && { temperature: Math.min(0.99, Math.max(0.01, temperature)) }),
      ...(topP !== undefined && { top_p: Math.min(0.99, Math.max(0.01, topP)) }),
      incremental: request.stream,
    },
  };
}

function buildRequest({ model, request, now }: OwnChatCall, { key, base_url: base }: ChannelTarget): UpstreamRequest {
  const action = request.stream ? 'sse-invoke' : 'invoke';
  readZhipuKey(key);
  return {
    url: `${originOf(base || defaultBaseUrl)}/api/paas/v3/model-api/${urlSegment(model)}/${action}`,
    headers: { authorization: zhipuToken(key, now ?? 0) ?? key, 'content-type': 'application/json' },
    edits: [],
  };
}

function responseOf({ data }: JsonObject): JsonObject {
  const { request_id: id, choices, usage } = recordOf(data);
  return {
    id,
    choices: recordsOf(choices).map(({ content }, index) => ({
      index,
      message: { role: 'assistant', content: unquoted(textOf(content)) },
      finish_reason: 'stop',
    })),
    usage,
  };
}

/** Whole responses come as JSON texts inside a JSON text. */
function unquoted(content: string): string {
  const parsed = parse(content.trim());
  return typeof parsed === 'string' ? parsed : content;
}

const finishes: Record<string, string> = { finish: 'stop', interrupted: 'content_filter' };

function chunkOf({ event, id, data, meta }: JsonObject): JsonObject {
  const reason = finishes[textOf(event)] ?? null;
  return {
    id,
    choices: [{ index: 0, delta: { content: data }, finish_reason: reason }],
    usage: recordOf(parse(textOf(meta))).usage,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a text that is itself
  }
}
