import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { contentText, reasoningText } from '../../wire/openai-chat/members.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';
import { openaiChatUpstream } from '../../wire/openai-chat/upstream-codec.ts';
import { brokenOff } from './error-rule.ts';
import { mapFinishReason } from './map-finish-reason.ts';
import { mapUsage } from './map-usage.ts';

/** Reads Cohere's events as the chunks of OpenAI that say the same. */
export function createCohereReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let id = '';

  return {
    event(data) {
      if (!isJsonObject(data)) return reader.event(data);
      if (data.type === 'message-start') id = textOf(data.id);
      const chunk = chunkOf(data);
      return chunk ? reader.event({ id, ...chunk }) : [];
    },
    end: reader.end,
  };
}

/** A whole response as OpenAI's. */
export function readCohereResponse(response: unknown, context: ReadContext): ChatEvent[] {
  const { id, message, finish_reason, usage, logprobs } = recordOf(response);
  const { content, tool_calls, tool_plan, citations } = recordOf(message);
  const text = contentText(content);
  const calls = recordsOf(tool_calls);
  const read = {
    ...(text !== '' && { content: text }),
    reasoning_content: reasoningText(content) || (text === '' ? textOf(tool_plan) : ''),
    ...(calls.length > 0 && { tool_calls: calls }),
    annotations: annotationsOf(recordsOf(citations)),
  };
  const choice = { index: 0, message: read, ...likelihoods(recordsOf(logprobs)) };
  const choices = [{ ...choice, finish_reason: mapFinishReason(finish_reason) }];
  return openaiChatUpstream.readResponse({ id, choices, usage: mapUsage(usage) }, context);
}

function chunkOf(event: JsonObject): JsonObject | undefined {
  const message = recordOf(recordOf(event.delta).message);
  switch (event.type) {
    case 'message-start':
      return deltaOf({ role: 'assistant' });
    case 'content-start':
    case 'content-delta':
      return deltaOf(textDelta(recordOf(message.content)), likelihoods([recordOf(event.logprobs)]));
    case 'tool-plan-delta':
      return deltaOf({ reasoning_content: message.tool_plan });
    case 'tool-call-start':
    case 'tool-call-delta':
      return deltaOf({ tool_calls: [{ index: event.index, ...recordOf(message.tool_calls) }] });
    case 'citation-start':
      return deltaOf({ annotations: annotationsOf([recordOf(message.citations)]) });
    case 'message-end':
      return endOf(event);
    default:
      return typeof event.message === 'string' ? { error: event } : undefined;
  }
}

function deltaOf(delta: JsonObject, more: JsonObject = {}): JsonObject {
  return { choices: [{ index: 0, delta, ...more }] };
}

function textDelta({ text, thinking }: JsonObject): JsonObject {
  return { content: textOf(text), reasoning_content: textOf(thinking) };
}

function endOf(event: JsonObject): JsonObject {
  const error = brokenOff(event);
  if (error) return { error };
  const { finish_reason, usage } = recordOf(event.delta);
  return { choices: [{ index: 0, delta: {}, finish_reason: mapFinishReason(finish_reason) }], usage: mapUsage(usage) };
}

/** Only documents with an address have a place in what clients read; those of the thinking are of no response. */
function annotationsOf(citations: JsonObject[]): JsonObject[] {
  return citations
    .filter(({ type }) => type === undefined || type === null || type === 'TEXT_CONTENT')
    .flatMap(({ start, end, sources }) =>
      recordsOf(sources)
        .map(({ document }) => recordOf(document))
        .filter(({ url }) => textOf(url) !== '')
        .map(({ url, title }) => ({
          type: 'url_citation',
          url_citation: { url, title, start_index: start, end_index: end },
        })),
    );
}

/** A piece of text may be several tokens: their likelihoods multiply. */
function likelihoods(items: JsonObject[]): JsonObject {
  const content = items
    .filter((item) => Array.isArray(item.logprobs))
    .map(({ text, logprobs }) => ({
      token: textOf(text),
      logprob: (logprobs as unknown[]).reduce((sum: number, value) => sum + (typeof value === 'number' ? value : 0), 0),
      bytes: [...Buffer.from(textOf(text))],
      top_logprobs: [],
    }));
  return content.length > 0 ? { logprobs: { content } } : {};
}
