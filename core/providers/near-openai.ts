import type {
  ChatStreamReader,
  ChatUpstreamCodec,
  ReadContext,
  ToolChanges,
  WriteContext,
} from '../canonical/chat-codec.ts';
import type { ChatRequest, OutputFormat, Part } from '../canonical/chat-request.ts';
import { clientField } from '../canonical/client-field.ts';
import { emptyChatRequest } from '../canonical/empty-request.ts';
import { Losses } from '../canonical/loss.ts';
import { notPossible } from '../canonical/not-possible.ts';
import { describeSchema } from '../canonical/schema-description.ts';
import { dropUnsaidFields, type UnsaidField } from '../canonical/unsaid.ts';
import { isJsonObject, type JsonObject, recordsOf } from '../lib/json-value.ts';
import type { Steps } from '../lib/steps.ts';
import { createOpenAiChatReader } from '../wire/openai-chat/read-stream.ts';
import { writeOpenAiChatRequest } from '../wire/openai-chat/write-request.ts';
import { schemaInstruction } from './json-schema-prompt.ts';

/** A chat format of one vendor whose turns and tools are OpenAI's by other names. */
export interface NearOpenAi {
  /** Shown where something cannot be said. */
  label: string;
  hasVision: boolean;
  hasTools: boolean;
  /** Fields without a counterpart that change no response a client relies on. */
  unsaid: readonly UnsaidField[];
  /** Fields of the vendor's own that a client may have written into an OpenAI call. */
  extras?: readonly string[];
}

export interface NearOpenAiParts {
  /** As OpenAI has them. */
  messages: JsonObject[];
  tools: JsonObject[];
  toolChoice: unknown;
  losses: Losses;
  changes: ToolChanges;
}

/** No vendor of this kind has anything of these. */
const alwaysUnsaid = [
  ...(['cacheKey', 'automaticCache', 'serviceTier', 'store', 'metadata', 'verbosity', 'speaker'] as const),
  ...(['toolStrict', 'logitBias'] as const),
];

/** The conversation and the tools in OpenAI's words, for a writer that only renames them. Throws for what cannot be said. */
export function* writeNearOpenAi(
  request: ChatRequest,
  context: WriteContext,
  vendor: NearOpenAi,
): Steps<NearOpenAiParts> {
  refuseUnsayable(request, vendor);
  const losses = new Losses();
  const { origin, output, extras } = request;
  yield* dropUnsaidFields(request, [...alwaysUnsaid, ...vendor.unsaid], losses);
  for (const field of Object.keys(extras)) if (!vendor.extras?.includes(field)) losses.drop(field);
  const instruction = outputInstruction(output);
  if (instruction) losses.emulate(clientField(origin, 'output'));
  const { body, losses: lost, ...changes } = yield* writeOpenAiChatRequest(contentOf(request, instruction), context);
  for (const { field, kind } of lost) kind === 'dropped' ? losses.drop(field) : losses.emulate(field);
  const { messages, tools, tool_choice: toolChoice } = body;
  return { messages: recordsOf(messages), tools: recordsOf(tools), toolChoice, losses, changes };
}

function refuseUnsayable(request: ChatRequest, { label, hasVision, hasTools }: NearOpenAi): void {
  const { origin, sampling, output, toolChoice } = request;
  const refuse = (what: string) => notPossible(what, label);
  if ((sampling.choices ?? 1) > 1) throw refuse(clientField(origin, 'choices'));
  if (request.logprobs) throw refuse(clientField(origin, 'logprobs'));
  if (request.previousResponseId !== undefined) throw refuse(clientField(origin, 'previousResponseId'));
  if (output.modalities?.some((name) => name.toLowerCase() !== 'text')) throw refuse(clientField(origin, 'modalities'));
  const hosted = request.tools.find(({ kind }) => kind === 'hosted');
  if (hosted?.kind === 'hosted') throw refuse(`${clientField(origin, 'tools')}: ${hosted.type}`);
  const parts = request.messages.flatMap((message) => message.parts.flatMap(withResults));
  const usesTools = request.tools.length > 0 && toolChoice?.mode !== 'none';
  if (!hasTools && (usesTools || parts.some(({ kind }) => kind === 'toolCall')))
    throw refuse(clientField(origin, 'tools'));
  const media = parts.find((part) => isMedia(part) && !(hasVision && part.kind === 'image'));
  if (media) throw refuse(`${clientField(origin, 'messages')}: ${media.kind}`);
}

function withResults(part: Part): Part[] {
  return part.kind === 'toolResult' ? part.parts : [part];
}

/** A document of plain text goes as text. */
function isMedia(part: Part): boolean {
  if (part.kind === 'document') return part.source.type !== 'data' || !part.source.mime.startsWith('text/');
  return part.kind === 'image' || part.kind === 'audio';
}

function outputInstruction(output: OutputFormat): string | undefined {
  if (output.kind === 'json') return 'Answer with one JSON object and nothing else.';
  return output.kind === 'schema' ? schemaInstruction(describeSchema(output)) : undefined;
}

/** What is written as OpenAI has it: the conversation and the tools. */
function contentOf(request: ChatRequest, instruction: string | undefined): ChatRequest {
  const { origin, model, stream, instructions, messages, tools, toolChoice } = request;
  const added: Part[] = instruction === undefined ? [] : [{ kind: 'text', text: instruction }];
  return {
    ...emptyChatRequest(origin, model),
    stream,
    messages,
    tools,
    toolChoice,
    instructions: [...instructions, ...added],
  };
}

/** How a vendor's responses become OpenAI's, which are then read in one place. */
export interface NearOpenAiResponses {
  writeRequest: ChatUpstreamCodec['writeRequest'];
  /** An event of a stream as a chat.completion.chunk. */
  chunkOf(event: JsonObject, context: ReadContext): JsonObject;
  /** A whole response as a chat.completion. */
  responseOf(response: JsonObject, context: ReadContext): JsonObject;
  isResponse(response: unknown): boolean;
  hiddenErrorStatus(event: unknown): number | undefined;
}

export function defineNearOpenAiCodec(responses: NearOpenAiResponses): ChatUpstreamCodec {
  return {
    protocol: 'vendor',
    writeRequest: responses.writeRequest,
    isResponse: responses.isResponse,
    createStreamReader: (context) => createReader(responses, context),
    readResponse(response, context) {
      const reader = createOpenAiChatReader(context);
      const whole = isJsonObject(response) ? responses.responseOf(response, context) : response;
      return [...reader.event(whole), ...reader.event('[DONE]'), ...reader.end()];
    },
  };
}

function createReader({ chunkOf, hiddenErrorStatus }: NearOpenAiResponses, context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  return {
    event(data) {
      const status = hiddenErrorStatus(data);
      if (status !== undefined) return [{ type: 'error', status, body: data }];
      return reader.event(isJsonObject(data) ? chunkOf(data, context) : data);
    },
    ending: () => reader.ending?.() ?? [],
    end: () => reader.end(),
  };
}
