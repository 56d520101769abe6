import type { ConversationTurn } from '../../schemas/conversation-turn.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import { type Conversation, type ConversationCall, conversationOf } from './conversation.ts';

/** Where a conversation belongs. */
export interface Attachment {
  conversation: Conversation;
  /** The channel that served it last and may still have its prompt; 0 = none. */
  channelId: number;
}

interface Stay {
  channelId: number;
  /** Monotonic milliseconds. */
  until: number;
}

/** The longest unused goes first. */
const maxStays = 20_000;

/**
 * Which channel served a conversation last, in memory of this process. Which one a new conversation goes to follows from its id alone,
 * so that all machines choose alike: what is kept here only holds a conversation where it is when its channel was changed meanwhile.
 */
export class Affinity {
  private readonly stays = new Map<string, Stay>();
  private readonly seconds: () => number;
  private readonly now: () => number;

  /** `seconds` without a call after which a vendor has forgotten a prompt; 0 = calls are spread whatever their conversation. */
  constructor(seconds: () => number, now: () => number = () => performance.now()) {
    this.seconds = seconds;
    this.now = now;
  }

  /** Undefined where there is nothing to choose, or no prompt cache to come back to. */
  attach(call: ConversationCall, { tiers, pinned }: { tiers: Tiers; pinned: boolean }): Attachment | undefined {
    if (this.seconds() === 0 || pinned || !tiers.some(hasChoice)) return undefined;
    const conversation = conversationOf(call);
    if (!conversation) return undefined;
    const stay = this.stays.get(conversation.id);
    return { conversation, channelId: stay && stay.until > this.now() ? stay.channelId : 0 };
  }

  served({ conversation: { id, cacheSeconds } }: Attachment, channelId: number): void {
    this.stays.delete(id);
    this.stays.set(id, { channelId, until: this.now() + Math.max(this.seconds(), cacheSeconds) * 1000 });
    if (this.stays.size <= maxStays) return;
    const [oldest = ''] = this.stays.keys();
    this.stays.delete(oldest);
  }
}

/** Of channels, or of the keys of one: each key has a prompt cache of its own. */
const hasChoice = (tier: readonly RoutedChannel[]) =>
  tier.length > 1 || tier.some(({ pool }) => pool && pool.on.length > 1);

export function turnOf(attachment: Attachment, channelId: number): ConversationTurn {
  if (attachment.channelId === 0) return 'chosen';
  return attachment.channelId === channelId ? 'stayed' : 'moved';
}
