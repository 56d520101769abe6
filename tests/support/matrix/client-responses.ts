import OpenAI from 'openai';
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { openAiRaised } from './client-openai.ts';
import type { ClientTarget, Finish, MatrixClient, Piece, Question, Reply, Result, Turn } from './question.ts';

/** The `openai` SDK, responses; nothing is stored, as coding agents do it. */
export function openaiResponsesClient({ url, key }: ClientTarget): MatrixClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  return {
    async ask(question) {
      const request = writeRequest(question);
      if (!question.stream) return readResponse(await client.responses.create(request), 1);
      let pieces = 0;
      const stream = client.responses.stream({ ...request, stream: true });
      stream.on('response.output_text.delta', () => {
        pieces += 1;
      });
      const numbers: number[] = [];
      for await (const event of stream) {
        numbers.push(event.sequence_number);
        if (event.type === 'error') throw new OpenAI.APIError(undefined, event, event.message, undefined);
        if (event.type === 'response.failed')
          throw new OpenAI.APIError(undefined, event.response.error ?? {}, event.response.error?.message, undefined);
      }
      if (numbers.some((number, place) => number !== place)) throw new Error(`events out of order: ${numbers.join()}`);
      return readResponse(await stream.finalResponse(), pieces);
    },
    raised: openAiRaised,
  };
}

function writeRequest(question: Question): ResponseCreateParamsNonStreaming {
  const { model, system, turns, tools, choice, schema, thinking, maxTokens } = question;
  return {
    model,
    store: false,
    input: turns.flatMap(writeTurn),
    ...(system !== undefined && { instructions: system }),
    ...(tools && {
      tools: tools.map(({ name, description, schema: parameters }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: false,
      })),
    }),
    ...(choice && { tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name } }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } } }),
    ...(thinking && { reasoning: { effort: 'medium', summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
  };
}

function writeTurn(turn: Turn): ResponseInputItem[] {
  if ('back' in turn) return turn.back as ResponseInputItem[];
  if ('user' in turn) return [{ role: 'user', content: turn.user.map(writePiece) }];
  if ('results' in turn) return turn.results.map(writeResult);
  const { text, calls = [] } = turn.assistant;
  return [
    ...(text === undefined ? [] : [{ role: 'assistant', content: text } as const]),
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

function writeResult({ id, text, picture }: Result): ResponseInputItem {
  const output = picture ? [{ type: 'input_text' as const, text }, writePiece({ picture })] : text;
  return { type: 'function_call_output', call_id: id, output } as ResponseInputItem;
}

function writePiece(piece: Piece) {
  if ('text' in piece) return { type: 'input_text' as const, text: piece.text };
  if ('pdf' in piece) {
    const file_data = `data:application/pdf;base64,${piece.pdf}`;
    return { type: 'input_file' as const, filename: 'paper.pdf', file_data };
  }
  const image_url = 'picture' in piece ? `data:image/png;base64,${piece.picture}` : piece.pictureUrl;
  return { type: 'input_image' as const, image_url, detail: 'auto' as const };
}

function readResponse(
  { output, output_text, status, incomplete_details, usage, error }: Response,
  pieces: number,
): Reply {
  if (status === 'failed') throw new OpenAI.APIError(undefined, error ?? {}, error?.message, undefined);
  const calls = output.filter((item) => item.type === 'function_call');
  const reasons: Record<string, Finish> = { max_output_tokens: 'length', content_filter: 'filter' };
  const reason = reasons[incomplete_details?.reason ?? ''];
  return {
    text: output_text,
    reasoning: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
      .map(({ text }) => text)
      .join(''),
    calls: calls.map(({ call_id, name, arguments: text }) => ({
      id: call_id,
      name,
      input: JSON.parse(text) as Record<string, unknown>,
    })),
    finish: reason ?? (calls.length > 0 ? 'tool' : 'stop'),
    usage: {
      prompt: usage?.input_tokens ?? 0,
      cached: usage?.input_tokens_details.cached_tokens ?? 0,
      completion: usage?.output_tokens ?? 0,
    },
    pieces,
    back: output,
  };
}
