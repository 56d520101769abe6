/** What a benchmark call asks the fake upstream for; it travels inside the user message. */
export interface CallShape {
  /** Content chunks of the response; 0 is a plain response. */
  chunks: number;
  /** Pause between chunks; 0 is as fast as possible, each in a write of its own. */
  everyMs: number;
}

export type ClientProtocol = 'openai' | 'anthropic';

export const plainShape: CallShape = { chunks: 0, everyMs: 0 };
export const benchModel = 'gpt-4o-mini';

/** Events around the content in OpenAI's protocol: the role, the finish reason, the usage, the end mark. */
export const eventsAround = 4;

/** How a right response looks to a client. */
interface ClientView {
  path: string;
  /** Present in every right plain response, and only there. */
  plainMark: string;
  /** The same of the first chunk of a stream. */
  firstTokenMark: string;
  streamEnd: string;
  /** Events of a stream of so many chunks. */
  events(chunks: number): number;
}

export const clientViews: Record<ClientProtocol, ClientView> = {
  openai: {
    path: '/v1/chat/completions',
    plainMark: '"content":"Tollgate benchmark answer',
    firstTokenMark: '"content":" token"',
    streamEnd: 'data: [DONE]\n\n',
    events: (chunks) => chunks + eventsAround,
  },
  anthropic: {
    path: '/v1/messages',
    plainMark: '"text":"Tollgate benchmark answer',
    firstTokenMark: '"text":" token"',
    streamEnd: 'data: {"type":"message_stop"}\n\n',
    // The message and its one block begin and end; the usage is in the end of the message, and the last event says that it was the last.
    events: (chunks) => chunks + 5,
  },
};

const instruction = 'You are a helpful assistant. Answer briefly and in the language of the question.';

export function callBody({ chunks, everyMs }: CallShape, protocol: ClientProtocol): string {
  const content = `bench ${chunks} ${everyMs} Which tolls were collected on the old road, and who kept them?`;
  const shared = { model: benchModel, temperature: 0.2, ...(chunks > 0 && { stream: true }) };
  const question = { role: 'user', content };
  if (protocol === 'anthropic') {
    return JSON.stringify({ ...shared, max_tokens: 1000, system: instruction, messages: [question] });
  }
  const options = chunks > 0 && { stream_options: { include_usage: true } };
  return JSON.stringify({ ...shared, ...options, messages: [{ role: 'system', content: instruction }, question] });
}

/** Reads the shape back without parsing the call: the fake upstream must cost as little as it can. */
export function readShape(body: Buffer): CallShape {
  const from = body.indexOf('"bench ');
  const [chunks = 0, everyMs = 0] = body
    .toString('latin1', from + 7, from + 30)
    .split(' ')
    .map(Number);
  return { chunks, everyMs };
}
