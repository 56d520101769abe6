/** What a benchmark call asks the fake upstream for; it travels inside the user message. */
export interface CallShape {
  /** Content chunks of the response; 0 is a plain response. */
  chunks: number;
  /** Pause between chunks; 0 is as fast as possible, each in a write of its own. */
  everyMs: number;
}

export const plainShape: CallShape = { chunks: 0, everyMs: 0 };
export const benchModel = 'gpt-4o-mini';

/** Present in every right response, and only there. */
export const plainMark = '"content":"Tollgate benchmark answer';
export const firstTokenMark = '"content":" token"';

/** Events around the content: the role, the finish reason, the usage, the end mark. */
export const eventsAround = 4;

export function callBody({ chunks, everyMs }: CallShape): string {
  const streaming = chunks > 0 ? { stream: true, stream_options: { include_usage: true } } : {};
  return JSON.stringify({
    model: benchModel,
    temperature: 0.2,
    ...streaming,
    messages: [
      { role: 'system', content: 'You are a helpful assistant. Answer briefly and in the language of the question.' },
      {
        role: 'user',
        content: `bench ${chunks} ${everyMs} Which tolls were collected on the old road, and who kept them?`,
      },
    ],
  });
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
