interface ReadEvent {
  event: string | undefined;
  data: string;
  /** Milliseconds since the epoch when the event was complete. */
  at: number;
}

/** Reads the events of a response as a client would. A torn last event, without its blank line, is an error. */
export async function* readSse(source: Response | AsyncIterable<Uint8Array>): AsyncGenerator<ReadEvent> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const bytes of chunksOf(source)) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the very end may be the first half of CR LF.
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield* parseBlock(block);
  }
  rest += decoder.decode();
  if (rest.endsWith('\r\r')) yield* parseBlock(rest);
  else if (rest.trim() !== '')
    throw new Error(`the stream ended inside an event: ${JSON.stringify(rest.slice(0, 200))}`);
}

export interface ReadStream {
  events: ReadEvent[];
  /** Parsed data of every event that is not the end mark. */
  chunks: Record<string, unknown>[];
  /** How often `[DONE]` came. */
  done: number;
  /** Text of all `choices[0].delta.content` joined. */
  text: string;
}

/** The whole stream; for assertions about chat and completion streams. */
export async function collectSse(source: Response | AsyncIterable<Uint8Array>): Promise<ReadStream> {
  const events: ReadEvent[] = [];
  for await (const event of readSse(source)) events.push(event);
  const chunks = events
    .filter((event) => event.data !== '[DONE]')
    .map((event) => JSON.parse(event.data) as Record<string, unknown>);
  return {
    events,
    chunks,
    done: events.length - chunks.length,
    text: chunks.map(deltaText).join(''),
  };
}

/** The bytes of a stream, one piece per event with its blank line, nothing lost or changed. */
export function splitSse(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  const pieces = text.match(/[\s\S]*?(?:\r\n\r\n|\n\n|\r\r)|[\s\S]+$/g) ?? [];
  return pieces.map((piece) => Buffer.from(piece, 'latin1'));
}

function chunksOf(source: Response | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!(source instanceof Response)) return source;
  if (!source.body) throw new Error('the answer has no body');
  return source.body;
}

function* parseBlock(block: string): Generator<ReadEvent> {
  let event: string | undefined;
  const data: string[] = [];
  for (const line of block.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value ?? '');
  }
  if (data.length > 0) yield { event, data: data.join('\n'), at: Date.now() };
}

function deltaText(chunk: Record<string, unknown>): string {
  const choices = chunk.choices;
  if (!Array.isArray(choices)) return '';
  const [first] = choices as {
    delta?: { content?: unknown };
    text?: unknown;
  }[];
  const text = first?.delta?.content ?? first?.text;
  return typeof text === 'string' ? text : '';
}
