import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import type { ClientTarget, Finish, MatrixClient, Piece, Question, Reply, Result, Turn } from './question.ts';

/** The AI SDK, with one provider package or another. */
interface Provider {
  model(name: string): LanguageModel;
  /** How the provider is asked to think, and told to use the vendor's own field for schemas. */
  thinking: Record<string, unknown>;
  options: Record<string, Record<string, string | boolean>>;
}

type ProviderFactory = (target: ClientTarget) => Provider;

const openaiChat: ProviderFactory = ({ url, key }) => ({
  model: (name) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(name),
  thinking: { openai: { reasoningEffort: 'medium' } },
  options: {},
});

const openaiResponses: ProviderFactory = ({ url, key }) => ({
  model: (name) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).responses(name),
  thinking: {
    openai: {
      reasoningEffort: 'medium',
      reasoningSummary: 'auto',
      forceReasoning: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    },
  },
  options: { openai: { store: false, forceReasoning: true } },
});

const anthropic: ProviderFactory = ({ url, key }) => ({
  model: (name) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(name),
  thinking: {
    anthropic: { structuredOutputMode: 'outputFormat', thinking: { type: 'enabled', budgetTokens: 2048 } },
  },
  options: { anthropic: { structuredOutputMode: 'outputFormat' } },
});

const google: ProviderFactory = ({ url, key }) => ({
  model: (name) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(name),
  thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } } },
  options: {},
});

const providers = { openaiChat, openaiResponses, anthropic, google };

export function aiClient(name: keyof typeof providers): (target: ClientTarget) => MatrixClient {
  return (target) => {
    const provider = providers[name](target);
    (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
    return {
      ask: (question) => (question.stream ? askStreamed(provider, question) : askWhole(provider, question)),
      raised(error) {
        const known = APICallError.isInstance(error) ? error : undefined;
        const told = error instanceof Error ? error.message : JSON.stringify(error);
        return {
          // What comes inside of a stream is handed on as the object it was.
          isTyped: known !== undefined || isStreamError(error),
          kind: known?.name ?? 'error part',
          status: known?.statusCode,
          text: `${told} ${known?.responseBody ?? ''}`,
        };
      },
    };
  };
}

class StreamPartError extends Error {}

function isStreamError(error: unknown): boolean {
  return error instanceof StreamPartError;
}

function writeRequest({ model, thinking, options }: Provider, question: Question) {
  const { system, cached, turns, tools, choice, schema, stop, maxTokens } = question;
  const mark = cached ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {};
  return {
    model: model(question.model),
    maxRetries: 0,
    ...(system !== undefined && { instructions: { role: 'system' as const, content: system, ...mark } }),
    messages: turns.flatMap(writeTurn),
    providerOptions: (question.thinking ? thinking : options) as Record<string, Record<string, string>>,
    ...(tools && {
      tools: Object.fromEntries(
        tools.map(({ name, description, schema: input }) => [
          name,
          tool({ description, inputSchema: jsonSchema(input) }),
        ]),
      ) as ToolSet,
    }),
    ...(choice && {
      toolChoice: typeof choice === 'string' ? choice : ({ type: 'tool', toolName: choice.name } as const),
    }),
    ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
    ...(stop && { stopSequences: stop }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
  };
}

async function askWhole(provider: Provider, question: Question): Promise<Reply> {
  const response = await generateText(writeRequest(provider, question));
  return readResponse({ ...pick(response), messages: response.response.messages, pieces: 1 });
}

async function askStreamed(provider: Provider, question: Question): Promise<Reply> {
  const stream = streamText({ ...writeRequest(provider, question), onError: () => undefined });
  let pieces = 0;
  for await (const part of stream.fullStream) {
    if (part.type === 'text-delta') pieces += 1;
    if (part.type !== 'error') continue;
    throw APICallError.isInstance(part.error) ? part.error : new StreamPartError(JSON.stringify(part.error));
  }
  const response = {
    text: await stream.text,
    reasoningText: await stream.reasoningText,
    toolCalls: await stream.toolCalls,
    finishReason: await stream.finishReason,
    usage: await stream.usage,
  };
  return readResponse({ ...pick(response), messages: (await stream.response).messages, pieces });
}

type AiResult = Pick<
  Awaited<ReturnType<typeof generateText>>,
  'text' | 'reasoningText' | 'toolCalls' | 'finishReason' | 'usage'
>;

function pick({ text, reasoningText, toolCalls, finishReason, usage }: AiResult): AiResult {
  return { text, reasoningText, toolCalls, finishReason, usage };
}

const finishes: Record<string, Finish> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool',
  'content-filter': 'filter',
};

function readResponse(response: AiResult & { messages: unknown; pieces: number }): Reply {
  const { text, reasoningText, toolCalls, finishReason, usage, messages, pieces } = response;
  return {
    text,
    reasoning: reasoningText ?? '',
    calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      input: input as Record<string, unknown>,
    })),
    finish: finishes[finishReason],
    usage: {
      prompt: usage.inputTokens ?? 0,
      cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
      completion: usage.outputTokens ?? 0,
    },
    pieces,
    back: messages,
  };
}

function writeTurn(turn: Turn): ModelMessage[] {
  if ('back' in turn) return turn.back as ModelMessage[];
  if ('user' in turn) return [{ role: 'user', content: turn.user.map(writePiece) }];
  if ('results' in turn) return [{ role: 'tool', content: turn.results.map(writeResult) }];
  const { text, calls = [] } = turn.assistant;
  return [
    {
      role: 'assistant',
      content: [
        ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
      ],
    },
  ];
}

function writeResult({ id, name, text, picture, isError }: Result) {
  const shared = { type: 'tool-result' as const, toolCallId: id, toolName: name };
  if (isError) return { ...shared, output: { type: 'error-text' as const, value: text } };
  if (!picture) return { ...shared, output: { type: 'text' as const, value: text } };
  const media = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: picture } };
  return { ...shared, output: { type: 'content' as const, value: [{ type: 'text' as const, text }, media] } };
}

function writePiece(piece: Piece) {
  if ('text' in piece) return { type: 'text' as const, text: piece.text };
  if ('pdf' in piece)
    return { type: 'file' as const, data: piece.pdf, mediaType: 'application/pdf', filename: 'paper.pdf' };
  const image = 'picture' in piece ? piece.picture : new URL(piece.pictureUrl);
  return { type: 'image' as const, image, mediaType: 'image/png' };
}
