import type { ChatStreamWriter, StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, Citation, FinishReason } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { writeLogprobsResult } from '../../canonical/logprob.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { signatureOf, writeCall, writeCitations, writeFinish, writeUsageMetadata } from './write-response.ts';

type Open = Extract<ChatEvent, { type: 'open' }>;

/** How the chunks are in the body: as server-sent events, or as the elements of one JSON array. */
export interface ChunkFrame {
  first: string;
  next: string;
  behind: string;
  last: string;
}

export const eventFrame: ChunkFrame = { first: 'data: ', next: 'data: ', behind: '\n\n', last: '' };
export const arrayFrame: ChunkFrame = { first: '[', next: ',\r\n', behind: '', last: ']' };

interface OpenPart {
  open: Open;
  /** Arguments of a call, which this protocol shows whole; of a thought the last piece, which goes out with its signature. */
  text: string;
}

/** The chunks of streamGenerateContent. The last one carries finish reasons and usage, even without text. */
export function createGeminiWriter({ identity }: StreamContext, frame: ChunkFrame): ChatStreamWriter {
  const parts = new Map<number, OpenPart>();
  const finished = new Map<number, { reason: FinishReason; detail?: string }>();
  const citations = new Map<number, Citation[]>();
  let begun = false;

  function chunk(candidates: JsonObject[], more: JsonObject = {}): string {
    const before = begun ? frame.next : frame.first;
    begun = true;
    const body = { candidates, ...more, modelVersion: identity.model, responseId: identity.id };
    return before + writeJson(body) + frame.behind;
  }

  function say({ choice }: Open, part: JsonObject): string {
    return chunk([{ content: { role: 'model', parts: [part] }, index: choice }]);
  }

  function begin(open: Open): string {
    parts.set(open.part, { open, text: '' });
    if (open.kind === 'media') return say(open, { inlineData: { mimeType: open.mime, data: open.data } });
    return open.kind === 'native' && open.origin === 'gemini' ? say(open, open.raw as JsonObject) : '';
  }

  function add(part: number, text: string): string {
    const entry = parts.get(part);
    if (!entry || text === '') return '';
    const { open, text: held } = entry;
    if (open.kind === 'toolCall') {
      entry.text += text;
      return '';
    }
    if (open.kind !== 'reasoning') return say(open, { text });
    entry.text = text;
    return held === '' ? '' : say(open, { text: held, thought: true });
  }

  function close(part: number, signature: Opaque | undefined): string {
    const entry = parts.get(part);
    parts.delete(part);
    if (!entry) return '';
    const { open, text } = entry;
    if (open.kind === 'toolCall') {
      const opaque = open.opaque ?? signature;
      return say(open, writeCall({ id: open.id, name: open.name, arguments: text, ...(opaque && { opaque }) }));
    }
    // SDKs forget a signature that stands by itself.
    if (open.kind === 'reasoning' && (text !== '' || signature))
      return say(open, { text, thought: true, ...signatureOf({ ...(signature && { opaque: signature }) }) });
    return signature ? say(open, { text: '', ...signatureOf({ opaque: signature }) }) : '';
  }

  function cite(part: number, citation: Citation): void {
    const choice = parts.get(part)?.open.choice ?? 0;
    citations.set(choice, [...(citations.get(choice) ?? []), citation]);
  }

  /** Of the text that was just said. */
  function likelihoods(part: number, logprobs: unknown[]): string {
    const index = parts.get(part)?.open.choice ?? 0;
    const content = { role: 'model', parts: [{ text: '' }] };
    return chunk([{ content, index, logprobsResult: writeLogprobsResult(logprobs) }]);
  }

  return {
    event(event) {
      switch (event.type) {
        case 'open':
          return begin(event);
        case 'delta':
          return add(event.part, event.text);
        case 'close':
          return close(event.part, event.opaque);
        case 'citation':
          cite(event.part, event.citation);
          return '';
        case 'logprobs':
          return likelihoods(event.part, event.logprobs);
        case 'finish':
          finished.set(event.choice, event);
          return '';
        default:
          return '';
      }
    },
    takeOver() {
      // A thought that passed as it was is one that this writer still waits to sign.
      begun = true;
      for (const entry of parts.values()) if (entry.open.kind === 'reasoning') entry.text = '';
      return true;
    },
    end(usage) {
      if (finished.size === 0) finished.set(0, { reason: 'stop' });
      const candidates = [...finished].map(([index, { reason, detail }]) => ({
        content: { role: 'model', parts: [{ text: '' }] },
        finishReason: writeFinish(reason),
        ...(detail !== undefined && { finishMessage: detail }),
        index,
        ...writeCitations(citations.get(index) ?? []),
      }));
      return chunk(candidates, { usageMetadata: writeUsageMetadata(usage) }) + frame.last;
    },
  };
}
