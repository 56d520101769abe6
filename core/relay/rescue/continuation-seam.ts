import type { ChatEvent } from '../../canonical/chat-event.ts';
import { type Continuation, openText } from './continuation.ts';
import type { Delivered } from './delivered.ts';
import { Joint } from './joint.ts';

type Open = Extract<ChatEvent, { type: 'open' }>;

/**
 * The seam between a response that broke off and the rest of it that another upstream was asked for: its first text goes on with the
 * client's last one, what it thinks before that is its own affair, and what follows is new.
 */
export class ContinuationSeam {
  private readonly delivered: Delivered;
  private readonly joint: Joint;
  /** The client's open text. */
  private readonly text: number | undefined;
  /** The other response's part that goes on with it. */
  private follower: number | undefined;
  private isTextOpen = true;
  /** Numbers of the other response's later parts in the client's stream. */
  private readonly parts = new Map<number, number>();
  private nextPart: number;

  constructor({ kind, delivered }: Continuation) {
    const [part, { text }] = openText(delivered) ?? [undefined, { text: '' }];
    this.delivered = delivered;
    this.text = part;
    this.joint = new Joint(text, kind === 'instructed');
    this.nextPart = Math.max(-1, ...delivered.parts.keys()) + 1;
  }

  pass(events: readonly ChatEvent[]): ChatEvent[] {
    const passed = events.flatMap((event) => this.next(event));
    for (const event of passed) this.delivered.note(event);
    return passed;
  }

  private next(event: ChatEvent): ChatEvent[] {
    switch (event.type) {
      case 'start':
      case 'ping':
      // It counts the text that it was shown as a part of its prompt.
      case 'usage':
        return [];
      case 'open':
        return this.open(event);
      case 'delta':
        if (event.part === this.follower) return this.said(this.joint.push(event.text));
        return this.renumbered(event);
      case 'citation':
      case 'logprobs':
        return event.part === this.follower ? [] : this.renumbered(event);
      case 'close':
        return event.part === this.follower ? this.closeText() : this.renumbered(event);
      case 'finish':
        return [...this.closeText(), event];
      default:
        return [event];
    }
  }

  private open(event: Open): ChatEvent[] {
    if (this.follower === undefined && this.isTextOpen) {
      if (event.kind === 'reasoning') return [];
      if (event.kind === 'text') {
        this.follower = event.part;
        return [];
      }
    }
    const part = this.nextPart++;
    this.parts.set(event.part, part);
    return [...this.closeText(), { ...event, part }];
  }

  private said(text: string): ChatEvent[] {
    return text === '' || this.text === undefined ? [] : [{ type: 'delta', part: this.text, text }];
  }

  private closeText(): ChatEvent[] {
    if (!this.isTextOpen || this.text === undefined) return [];
    this.isTextOpen = false;
    return [...this.said(this.joint.settle()), { type: 'close', part: this.text }];
  }

  private renumbered(event: Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>): ChatEvent[] {
    const part = this.parts.get(event.part);
    return part === undefined ? [] : [{ ...event, part }];
  }
}
