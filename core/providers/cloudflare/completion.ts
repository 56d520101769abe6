import { AppError } from '../../errors/app-error.ts';
import { isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import type { StreamDecoder } from '../../wire/stream-decoder.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';

/** What `/ai/run` takes of a completions call, under OpenAI's names. */
const fields = ['max_tokens', 'temperature', 'top_p', 'seed', 'frequency_penalty', 'presence_penalty'] as const;

/** An OpenAI completions call as a run of a model. */
export function toRun(
  call: UpstreamCall,
  { provider, tokenLimit }: { provider: string; tokenLimit: number },
): Required<Pick<UpstreamRequest, 'body' | 'readResponse'>> {
  const prompt = promptOf(call.body?.prompt ?? call.fields.value('prompt'));
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  if (prompt === undefined) throw refuse('prompt: lists and token ids');
  for (const field of ['n', 'best_of']) if (Number(call.fields.value(field) ?? 1) > 1) throw refuse(field);
  const body: JsonObject = { prompt, max_tokens: tokenLimit, stream: call.request.stream };
  for (const field of fields) {
    const value = call.fields.value(field);
    if (typeof value === 'number') body[field] = value;
  }
  return { body, readResponse: (response) => readRun(response, call) };
}

function promptOf(given: unknown): string | undefined {
  const [only, ...others] = Array.isArray(given) ? (given as unknown[]) : [given];
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

function readRun(reply: unknown, { model, now = 0 }: UpstreamCall): JsonObject {
  const { response, usage } = recordOf(recordOf(reply).result);
  return {
    id: `cmpl-${now}`,
    object: 'text_completion',
    created: Math.floor(now / 1000),
    model,
    choices: typeof response === 'string' ? [{ index: 0, text: response, logprobs: null, finish_reason: 'stop' }] : [],
    ...(isJsonObject(usage) && { usage }),
  };
}

/** Events of a run as those of OpenAI's completions; whatever else streams passes as it is. */
export function createRunDecoder(): StreamDecoder {
  let held = '';

  function push(bytes: Buffer): string {
    const lines = (held + bytes.toString('latin1')).split(/(?<=\n)/);
    held = lines.at(-1)?.endsWith('\n') === false ? (lines.pop() ?? '') : '';
    // Only the beginning of an event has to wait for its end.
    if (!mayBeEvent(held)) {
      lines.push(held);
      held = '';
    }
    return lines.map(rewritten).join('');
  }

  return { push, end: () => {} };
}

function mayBeEvent(start: string): boolean {
  return ['data: {', 'data:{'].some((mark) => mark.startsWith(start.slice(0, mark.length)));
}

const runEvent = /^data: ?(\{.*"response".*\})\s*$/;

function rewritten(line: string): string {
  const json = line.includes('"choices"') ? undefined : runEvent.exec(line)?.[1];
  const event = json === undefined ? undefined : parse(json);
  if (!isJsonObject(event) || typeof event.response !== 'string') return line;
  const isLast = isJsonObject(event.usage);
  const choice = { index: 0, text: textOf(event.response), logprobs: null, finish_reason: isLast ? 'stop' : null };
  const chunk = { id: 'cmpl-run', object: 'text_completion', choices: [choice], ...(isLast && { usage: event.usage }) };
  return `data: ${JSON.stringify(chunk)}\n`;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the reader of the stream says what is wrong with it
  }
}
