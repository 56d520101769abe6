import type { ChatEvent } from '../../canonical/chat-event.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { coded } from '../../text/coded.ts';
import { type Delivered, type DeliveredPart, partOf } from './delivered.ts';

type Open = Extract<ChatEvent, { type: 'open' }>;
type InPart = Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>;

/** A part of the second response beside what the client has of it. */
interface Follower {
  /** Its number in the client's stream. */
  part: number;
  choice: number;
  /** Characters, citations and likelihoods that came again so far. */
  text: number;
  citations: number;
  logprobs: number;
}

/**
 * The seam between a response that broke off and another upstream's response to the same call: what the client has already is kept
 * from it, the rest passes, and the first difference ends the attempt.
 */
export class Splice {
  private readonly delivered: Delivered;
  private readonly followers = new Map<number, Follower>();
  private nextPart: number;

  constructor(delivered: Delivered) {
    this.delivered = delivered;
    this.nextPart = Math.max(-1, ...delivered.parts.keys()) + 1;
  }

  /** The events that go on from what the client has. Throws UpstreamError when this response is another one; then none of them does. */
  pass(events: readonly ChatEvent[]): ChatEvent[] {
    const before = this.delivered.copy();
    const passed: ChatEvent[] = [];
    try {
      for (const event of events) {
        const next = this.next(event);
        if (!next) continue;
        this.delivered.note(next);
        passed.push(next);
      }
    } catch (error) {
      this.delivered.restore(before);
      throw error;
    }
    return passed;
  }

  private next(event: ChatEvent): ChatEvent | undefined {
    switch (event.type) {
      case 'start':
        return this.delivered.hasStarted ? undefined : event;
      case 'open':
        return this.open(event);
      case 'delta':
      case 'citation':
      case 'logprobs':
      case 'close':
        return this.inPart(event);
      case 'finish':
        return this.finish(event);
      case 'ping':
        return undefined;
      default:
        return event;
    }
  }

  private open(event: Open): Open | undefined {
    const { choice } = event;
    const own = partOf(event);
    const counts = { choice, text: own.text.length, citations: 0, logprobs: 0 };
    const begun = this.delivered.partsOf(choice)[this.followersOf(choice).length];
    if (!begun) {
      if (this.delivered.finished.has(choice)) throw differs();
      const part = this.nextPart++;
      this.followers.set(event.part, { part, ...counts });
      return { ...event, part };
    }
    const [part, have] = begun;
    const isSame = have.kind === own.kind && have.name === own.name && have.isCustom === own.isCustom;
    if (!isSame || (own.kind === 'media' && have.text !== own.text)) throw differs();
    this.followers.set(event.part, { part, ...counts });
    return undefined;
  }

  private inPart(event: InPart): InPart | undefined {
    const follower = this.followers.get(event.part);
    const have = follower && this.delivered.parts.get(follower.part);
    if (!follower || !have) return undefined;
    switch (event.type) {
      case 'delta':
        return this.delta(follower, have, event.text);
      case 'citation': {
        const isNew = follower.citations++ >= have.citations;
        return isNew ? { ...event, part: follower.part } : undefined;
      }
      case 'logprobs': {
        const rest = event.logprobs.slice(Math.max(0, have.logprobs - follower.logprobs));
        follower.logprobs += event.logprobs.length;
        return rest.length > 0 ? { ...event, part: follower.part, logprobs: rest } : undefined;
      }
      default:
        if (!this.hasCaughtUp(follower)) throw differs();
        return have.isClosed ? undefined : { ...event, part: follower.part };
    }
  }

  private delta(follower: Follower, have: DeliveredPart, text: string): InPart | undefined {
    const known = have.text.slice(follower.text, follower.text + text.length);
    const rest = text.slice(known.length);
    if (!text.startsWith(known) || (rest !== '' && have.isClosed)) throw differs();
    follower.text += text.length;
    return rest === '' ? undefined : { type: 'delta', part: follower.part, text: rest };
  }

  private finish(event: Extract<ChatEvent, { type: 'finish' }>): ChatEvent | undefined {
    const followers = this.followersOf(event.choice);
    const isShort = followers.length < this.delivered.partsOf(event.choice).length;
    if (isShort || !followers.every((follower) => this.hasCaughtUp(follower))) throw differs();
    const before = this.delivered.finished.get(event.choice);
    if (before === undefined) return event;
    if (before !== event.reason) throw differs();
    return undefined;
  }

  private followersOf(choice: number): Follower[] {
    return [...this.followers.values()].filter((follower) => follower.choice === choice);
  }

  private hasCaughtUp({ part, text }: Follower): boolean {
    return text >= (this.delivered.parts.get(part)?.text.length ?? 0);
  }
}

function differs(): UpstreamError {
  const error = new UpstreamError({
    status: 502,
    code: 'rescue_differs',
    coded: coded('upstream.differs'),
    kind: 'retry',
  });
  // It said something else, which is its right.
  error.isBlameless = true;
  return error;
}
