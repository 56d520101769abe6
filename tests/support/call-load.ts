import { setTimeout as wait } from 'node:timers/promises';
import { type FakeResponse, json, type RecordedRequest, sse } from './upstream-script.ts';

/** A call whose response the client has seen to its end: such a call must be in the log, once. */
export interface SeenCall {
  id: string;
  quota: number;
  isStream: boolean;
  protocol: CallProtocol | 'media';
}

export interface CallResult {
  seen: SeenCall[];
  /** Calls that got an error or broke off: how, and how long that took. */
  failed: FailedCall[];
  begun: number;
}

export interface FailedCall {
  /** 0 = no response, or one that broke off. */
  status: number;
  code: string;
  /** Whether a part of the response had come. */
  isPartial: boolean;
  retryAfter: string | null;
}

export interface CallPlan {
  url: string;
  key: string;
  clients: number;
  /** After a failed call. */
  pauseMs?: number;
  /** One of these for each call; OpenAI's chat when left out. */
  protocols?: readonly CallProtocol[];
}

export type CallProtocol = keyof typeof protocols;

/** The upstream speaks OpenAI's chat, so that every other protocol is converted. */
const protocols = {
  chat: { path: '/v1/chat/completions', more: {}, streamEnd: 'data: [DONE]\n\n' },
  messages: {
    path: '/v1/messages',
    more: { max_tokens: 1000 },
    streamEnd: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
};

/** Upstream for these calls: the usage is what the question asks for, so that each bill is one of its own. */
export function askedUsage(pieceDelayMs: number): (request: RecordedRequest) => FakeResponse {
  return ({ json: body }) => {
    const { messages, stream, model } = body as { messages: { content: string }[]; stream?: boolean; model: string };
    const [prompt = 0, completion = 0] = (messages[0]?.content ?? '').split('/').map(Number);
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    const shape = { id: 'chatcmpl-1', created: 1_767_322_800, model };
    const text = 'These words are the answer to it.';
    if (!stream) {
      const message = { role: 'assistant', content: text };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return { ...json(200, { ...shape, object: 'chat.completion', choices, usage }), firstByteMs: pieceDelayMs };
    }
    const chunk = (delta: object, finish: string | null) => ({
      ...shape,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const words = text.split(' ').map((word) => chunk({ content: `${word} ` }, null));
    const last = { ...shape, object: 'chat.completion.chunk', choices: [], usage };
    return sse([chunk({ role: 'assistant', content: '' }, null), ...words, chunk({}, 'stop'), last, '[DONE]'], {
      delayMs: pieceDelayMs,
    });
  };
}

/** gpt-4o-mini costs 0.075 a token, four times that for a response's; halves round up. */
export function quotaOf(prompt: number, completion: number): number {
  return Math.floor((75 * (prompt + 4 * completion) + 500) / 1000);
}

/** Clients that call without a rest, half of them streamed, until `stopped` says so. */
export async function runCalls(plan: CallPlan, stopped: () => boolean, result = emptyResult()): Promise<CallResult> {
  await Promise.all(
    Array.from({ length: plan.clients }, async () => {
      while (!stopped()) {
        const failure = await callOnce(plan, result);
        if (failure) await wait(plan.pauseMs ?? 20);
      }
    }),
  );
  return result;
}

export function emptyResult(): CallResult {
  return { seen: [], failed: [], begun: 0 };
}

/** One call; resolves with its failure. */
export async function callOnce(
  { url, key, protocols: spoken = ['chat'] }: Pick<CallPlan, 'url' | 'key' | 'protocols'>,
  result: CallResult,
  isStream = Math.random() < 0.5,
): Promise<FailedCall | undefined> {
  const prompt = 1 + Math.floor(Math.random() * 1000);
  const completion = 1 + Math.floor(Math.random() * 1000);
  const protocol = spoken[Math.floor(Math.random() * spoken.length)] ?? 'chat';
  const { path, more, streamEnd } = protocols[protocol];
  let text = '';
  let status = 0;
  let retryAfter: string | null = null;
  result.begun += 1;
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        stream: isStream,
        messages: [{ role: 'user', content: `${prompt}/${completion}` }],
        ...more,
      }),
    });
    retryAfter = response.headers.get('retry-after');
    const reader = response.body?.pipeThrough(new TextDecoderStream());
    for await (const part of reader ?? []) text += part;
    status = response.status;
    const isWhole = isStream ? text.endsWith(streamEnd) : text.endsWith('}');
    if (status === 200 && isWhole) {
      const id = response.headers.get('x-request-id') ?? '';
      result.seen.push({ id, quota: quotaOf(prompt, completion), isStream, protocol });
      return undefined;
    }
  } catch {
    // No response, or one that broke off: the client does not know what became of the call.
    status = 0;
  }
  const code = /"code":"([a-z_]+)"/.exec(text)?.[1] ?? '';
  const failure = { status, code, isPartial: text !== '', retryAfter };
  result.failed.push(failure);
  return failure;
}
