import Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import type { ClientTarget, Finish, MatrixClient, Piece, Question, Reply, Result, Turn } from './question.ts';

/** The `@anthropic-ai/sdk`. */
export function anthropicClient({ url, key }: ClientTarget): MatrixClient {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
  return {
    async ask(question) {
      const request = writeRequest(question);
      if (!question.stream) return readResponse(await client.messages.create(request), 1);
      let pieces = 0;
      const stream = client.messages.stream(request);
      stream.on('text', () => {
        pieces += 1;
      });
      return readResponse(await stream.finalMessage(), pieces);
    },
    raised(error) {
      const isTyped = error instanceof Anthropic.APIError;
      return {
        isTyped,
        kind: isTyped ? error.constructor.name : String(error),
        status: isTyped ? error.status : undefined,
        text: error instanceof Error ? error.message : String(error),
      };
    },
  };
}

function writeRequest(question: Question): MessageCreateParamsNonStreaming {
  const { model, system, cached, turns, tools, choice, schema, thinking, stop, maxTokens = 4096 } = question;
  const mark = cached ? { cache_control: { type: 'ephemeral' as const } } : {};
  return {
    model,
    max_tokens: maxTokens,
    messages: turns.flatMap(writeTurn),
    ...(system !== undefined && { system: [{ type: 'text', text: system, ...mark }] }),
    ...(tools && {
      tools: tools.map(
        ({ name, description, schema: input_schema }) => ({ name, description, input_schema }) as ToolUnion,
      ),
    }),
    ...(choice && { tool_choice: writeChoice(choice) }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(thinking && { thinking: { type: 'enabled', budget_tokens: 2048 } }),
    ...(stop && { stop_sequences: stop }),
  };
}

function writeChoice(choice: NonNullable<Question['choice']>) {
  if (typeof choice !== 'string') return { type: 'tool' as const, name: choice.name };
  return { type: choice === 'none' ? ('none' as const) : ('any' as const) };
}

function writeTurn(turn: Turn): MessageParam[] {
  if ('back' in turn) return [turn.back as MessageParam];
  if ('user' in turn) return [{ role: 'user', content: turn.user.map(writePiece) }];
  if ('results' in turn) return [{ role: 'user', content: turn.results.map(writeResult) }];
  const { text, calls = [] } = turn.assistant;
  return [
    {
      role: 'assistant',
      content: [
        ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
      ],
    },
  ];
}

function writeResult({ id, text, picture, isError }: Result): ContentBlockParam {
  const content = [{ type: 'text' as const, text }, ...(picture ? [writePiece({ picture })] : [])];
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: content as { type: 'text'; text: string }[],
    ...(isError && { is_error: true }),
  };
}

function writePiece(piece: Piece): ContentBlockParam {
  if ('text' in piece) return { type: 'text', text: piece.text };
  if ('pdf' in piece)
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: piece.pdf } };
  if ('pictureUrl' in piece) return { type: 'image', source: { type: 'url', url: piece.pictureUrl } };
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: piece.picture } };
}

const finishes: Record<string, Finish> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool',
  refusal: 'filter',
};

function readResponse({ content, stop_reason, stop_sequence, usage }: Message, pieces: number): Reply {
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: block.id, name: block.name, input: block.input as Record<string, unknown> }]
        : [],
    ),
    finish: finishes[stop_reason ?? ''],
    stopSequence: stop_sequence ?? undefined,
    usage: {
      prompt: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
      cached,
      completion: usage.output_tokens,
    },
    pieces,
    back: { role: 'assistant', content },
  };
}
