import { EventSourceParserStream } from 'eventsource-parser/stream';
import i18next from 'i18next';
import type { Log, LogPage } from '../../../core/schemas/log.ts';
import { logType } from '../../../core/schemas/log-type.ts';
import { session } from '../state/session.ts';
import { ApiError } from './api-error.ts';
import { api, callHeaders, proxyText } from './client.ts';

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ContentPart[];
}

export interface ChatBody {
  model: string;
  group?: string;
  messages: ChatMessage[];
  stream: true;
  temperature: number;
  max_tokens?: number;
}

/** What a response is made of, piece by piece. */
export interface ChatPiece {
  text?: string;
  reasoning?: string;
  requestId?: string;
  /** The upstream ended it properly. */
  isEnd?: boolean;
}

/** A chat call of the signed-in user; throws an ApiError with the words of the server when it is refused or breaks. */
export async function* streamChat(body: ChatBody, signal: AbortSignal): AsyncGenerator<ChatPiece> {
  const response = await fetch('/pg/chat/completions', {
    method: 'POST',
    headers: callHeaders(true),
    body: JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(i18next.t('error.unreachable'), { status: 0 });
  });
  const requestId = response.headers.get('x-request-id') ?? '';
  if (!response.ok || !response.body) throw await refusal(response, requestId);
  yield { requestId };
  for await (const data of eventData(response.body)) {
    if (data === '[DONE]') {
      yield { isEnd: true };
      return;
    }
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error) throw new ApiError(chunk.error.message ?? i18next.t('error.server'), { status: 502, requestId });
    const [choice] = chunk.choices ?? [];
    const { content, reasoning_content: reasoning } = choice?.delta ?? {};
    if (content || reasoning) yield { ...(content && { text: content }), ...(reasoning && { reasoning }) };
  }
}

interface Chunk {
  choices?: { delta?: { content?: string | null; reasoning_content?: string | null } }[];
  error?: { message?: string };
}

async function refusal(response: Response, requestId: string): Promise<ApiError> {
  if (response.status === 401) session.expire({ isReading: false });
  const reply = (await response.json().catch(() => undefined)) as Chunk | undefined; // a proxy's own error page
  const message = reply?.error?.message ?? proxyText(response.status);
  return new ApiError(message, { status: response.status, requestId });
}

/** The data of server-sent events; comments keep the connection alive and say nothing. */
async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const text = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value.data;
    }
  } finally {
    // Who stops reading wants no more: the server ends the call upstream too. A stream that broke cannot be given back.
    await reader.cancel().catch(() => undefined);
  }
}

/** A row is written a moment after its call has ended. */
const waitsMs = [200, 600, 1500, 3000];

/** The bill of a call; undefined when the installation writes none. */
export async function findBill(requestId: string): Promise<Log | undefined> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const { items } = await api.get<LogPage>('/api/log/self', {
      query: { p: 1, page_size: 20, type: logType.consume },
    });
    const row = items.find((one) => one.request_id === requestId);
    if (row) return row;
  }
  return undefined;
}
