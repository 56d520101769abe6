import { AppError } from '../core/errors/app-error.ts';
import { EventCutter } from '../core/wire/sse.ts';

export interface ChatCall {
  /** The server, without a path. */
  address: string;
  key: string;
  model: string;
  messages: { role: 'system' | 'user'; content: string }[];
  signal?: AbortSignal;
}

export interface ChatStream {
  requestId: string;
  /** Pieces of the response as they come. */
  texts: AsyncIterable<string>;
}

const maxMessageLength = 2000;

/** One streamed call through a running server, as any client makes it. Errors carry the server's own message. */
export async function openChat({ address, key, model, messages, signal }: ChatCall): Promise<ChatStream> {
  const response = await ask(address, '/v1/chat/completions', key, {
    method: 'POST',
    body: JSON.stringify({ model, stream: true, messages }),
    ...(signal && { signal }),
  });
  if (!response.body) throw new AppError('chat.cutOff');
  return { requestId: response.headers.get('x-request-id') ?? '', texts: textsOf(response.body) };
}

/** The models a key may ask for, in the order of the server. */
export async function listModels(address: string, key: string): Promise<string[]> {
  const response = await ask(address, '/v1/models', key, {});
  const { data } = (await jsonOf(response)) as { data?: { id: string }[] };
  return (data ?? []).map(({ id }) => id);
}

async function ask(address: string, path: string, key: string, init: RequestInit): Promise<Response> {
  const url = address + path;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { ...init, headers, redirect: 'error' }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    const cause = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
    throw new AppError('chat.noServer', { url: address, cause }, { cause: error });
  });
  if (response.ok && response.headers.get('x-request-id')) return response;
  const { error } = (await jsonOf(response)) as { error?: { message?: string } };
  if (!error?.message) throw new AppError('chat.otherServer', { url: address, status: response.status });
  throw refused(error.message, response.status);
}

/** Nothing for what is not a JSON object: another program listens there. */
async function jsonOf(response: Response): Promise<object> {
  try {
    const value: unknown = await response.json();
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const refused = (message: string, status: number) =>
  new AppError('chat.refused', { message: message.slice(0, maxMessageLength), status });

interface Chunk {
  choices?: { delta?: { content?: string | null } }[];
  error?: { message?: string };
}

async function* textsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const cutter = new EventCutter();
  for await (const bytes of body) {
    const events = Buffer.from(cutter.push(Buffer.from(bytes).toString('latin1')), 'latin1').toString('utf8');
    for (const event of events.split('\n\n')) {
      const data = event.replace(/^data: ?/, '');
      if (data === '[DONE]') return;
      // Comments keep the line open.
      if (data === event) continue;
      const { choices, error } = JSON.parse(data) as Chunk;
      if (error) throw refused(error.message ?? data, 502);
      const text = choices?.[0]?.delta?.content;
      if (text) yield text;
    }
  }
  throw new AppError('chat.cutOff');
}
