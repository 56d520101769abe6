import type { ChatEvent, FinishReason } from '../../canonical/chat-event.ts';

type Open = Extract<ChatEvent, { type: 'open' }>;

/** What the client has of one part. */
export interface DeliveredPart {
  choice: number;
  kind: Open['kind'];
  /** Of a tool call. */
  name: string;
  isCustom: boolean;
  /** Text as far as it went out; of a picture or sound all of it. */
  text: string;
  citations: number;
  logprobs: number;
  isClosed: boolean;
}

/** What the client has of a response, part by part: an upstream that goes on with it has to begin with the same. */
export class Delivered {
  hasStarted = false;
  /** Work of the upstream's own tools, which would be done and paid a second time. */
  hasNative = false;
  /** An upstream has said how the response ends, which the client is still to be told. */
  isEnding = false;
  readonly parts = new Map<number, DeliveredPart>();
  readonly finished = new Map<number, FinishReason>();

  note(event: ChatEvent): void {
    switch (event.type) {
      case 'start':
        this.hasStarted = true;
        return;
      case 'open':
        if (event.kind === 'native') this.hasNative = true;
        this.parts.set(event.part, partOf(event));
        return;
      case 'finish':
        this.finished.set(event.choice, event.reason);
        return;
      case 'delta':
      case 'citation':
      case 'logprobs':
      case 'close':
        this.noteIn(event);
    }
  }

  /** As it stands, to go back to. */
  copy(): Delivered {
    const copy = new Delivered();
    copy.restore(this);
    return copy;
  }

  restore({ hasStarted, hasNative, parts, finished }: Delivered): void {
    this.hasStarted = hasStarted;
    this.hasNative = hasNative;
    this.parts.clear();
    for (const [number, part] of parts) this.parts.set(number, { ...part });
    this.finished.clear();
    for (const [choice, reason] of finished) this.finished.set(choice, reason);
  }

  /** All that a model wrote of it. */
  get text(): string {
    return [...this.parts.values()].map(({ kind, name, text }) => (kind === 'media' ? '' : name + text)).join('');
  }

  partsOf(choice: number): [number, DeliveredPart][] {
    return [...this.parts].filter(([, part]) => part.choice === choice);
  }

  private noteIn(event: Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>): void {
    const part = this.parts.get(event.part);
    if (!part) return;
    if (event.type === 'delta') part.text += event.text;
    else if (event.type === 'citation') part.citations += 1;
    else if (event.type === 'logprobs') part.logprobs += event.logprobs.length;
    else part.isClosed = true;
  }
}

export function partOf(open: Open): DeliveredPart {
  const { choice, kind } = open;
  const [name, isCustom] = open.kind === 'toolCall' ? [open.name, open.custom === true] : ['', false];
  const text = open.kind === 'media' ? `${open.mime} ${open.data}` : '';
  return { choice, kind, name, isCustom, text, citations: 0, logprobs: 0, isClosed: false };
}
