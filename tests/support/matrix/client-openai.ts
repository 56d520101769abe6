import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { ClientTarget, Finish, MatrixClient, Piece, Question, Raised, Reply, Turn } from './question.ts';

type Message = ChatCompletionCreateParamsNonStreaming['messages'][number];

/** The `openai` SDK, chat.completions. */
export function openaiChatClient({ url, key }: ClientTarget): MatrixClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  return {
    async ask(question) {
      const request = writeRequest(question);
      if (!question.stream) return readResponse(await client.chat.completions.create(request), 1);
      let pieces = 0;
      const stream = client.chat.completions.stream({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      });
      stream.on('content', () => {
        pieces += 1;
      });
      // The helper keeps only what it knows; what vendors add is read from the chunks.
      let reasoning = '';
      const details: unknown[] = [];
      for await (const chunk of stream) {
        const delta = chunk.choices[0]?.delta as Vendor | undefined;
        reasoning += delta?.reasoning_content ?? '';
        details.push(...(delta?.reasoning_details ?? []));
      }
      const response = await stream.finalChatCompletion();
      const message = response.choices[0]?.message as Vendor | undefined;
      if (message && reasoning !== '') message.reasoning_content = reasoning;
      if (message && details.length > 0) message.reasoning_details = details;
      return readResponse(response, pieces);
    },
    raised: openAiRaised,
  };
}

interface Vendor {
  reasoning_content?: string;
  reasoning_details?: unknown[];
}

export function openAiRaised(error: unknown): Raised {
  const isTyped = error instanceof OpenAI.APIError;
  return {
    isTyped,
    kind: isTyped ? error.constructor.name : String(error),
    status: isTyped ? error.status : undefined,
    text: error instanceof Error ? error.message : String(error),
  };
}

function writeRequest(question: Question): ChatCompletionCreateParamsNonStreaming {
  const { model, system, cached, turns, tools, choice, schema, thinking, stop, maxTokens } = question;
  const mark = cached ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {};
  return {
    model,
    messages: [
      ...(system === undefined
        ? []
        : [{ role: 'system', content: [{ type: 'text', text: system, ...mark }] } as Message]),
      ...turns.flatMap(writeTurn),
    ],
    ...(tools && {
      tools: tools.map(({ name, description, schema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
    ...(choice && {
      tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
    }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } }),
    ...(thinking && { reasoning_effort: 'medium' }),
    ...(stop && { stop }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
  };
}

function writeTurn(turn: Turn): Message[] {
  if ('back' in turn) return [turn.back as Message];
  if ('user' in turn) return [{ role: 'user', content: turn.user.map(writePiece) }];
  if ('results' in turn) return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  const { text = null, calls = [] } = turn.assistant;
  return [
    {
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ];
}

function writePiece(piece: Piece) {
  if ('text' in piece) return { type: 'text' as const, text: piece.text };
  if ('pdf' in piece) {
    const file = { filename: 'paper.pdf', file_data: `data:application/pdf;base64,${piece.pdf}` };
    return { type: 'file' as const, file };
  }
  const url = 'picture' in piece ? `data:image/png;base64,${piece.picture}` : piece.pictureUrl;
  return { type: 'image_url' as const, image_url: { url } };
}

const finishes: Record<string, Finish> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool',
  content_filter: 'filter',
};

function readResponse({ choices, usage }: ChatCompletion, pieces: number): Reply {
  const [choice] = choices;
  const message = choice?.message as (ChatCompletion['choices'][number]['message'] & Vendor) | undefined;
  return {
    text: message?.content ?? '',
    reasoning: message?.reasoning_content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [
            {
              id: call.id,
              name: call.function.name,
              input: JSON.parse(call.function.arguments || '{}') as Record<string, unknown>,
            },
          ]
        : [],
    ),
    finish: finishes[choice?.finish_reason ?? ''],
    usage: {
      prompt: usage?.prompt_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      completion: usage?.completion_tokens ?? 0,
    },
    pieces,
    back: message,
  };
}
