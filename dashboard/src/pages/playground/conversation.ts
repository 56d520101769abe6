import { createStoredValue } from '../../state/stored-value.ts';

/** Operations spec, section 4. `incomplete`: stopped, or cut off. */
export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error';

/** What a response took and cost. */
export interface ResponseFigures {
  firstTokenMs?: number;
  totalMs?: number;
  promptTokens?: number;
  completionTokens?: number;
  quota?: number;
}

export interface Message extends ResponseFigures {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  status: MessageStatus;
  /** Pictures as data addresses; too large to be kept, so a conversation that is opened again has only their number. */
  images?: string[];
  imageCount?: number;
  reasoning?: string;
  model?: string;
  error?: string;
}

export interface Conversation {
  id: string;
  messages: Message[];
}

const maxConversations = 30;

/** Kept in this browser alone, newest first. */
const stored = createStoredValue<Conversation[]>('playground-conversations', (value) =>
  Array.isArray(value) ? value.filter(isConversation).map(settled) : [],
);

export const conversations = {
  use: stored.use,
  get: stored.get,
  save(conversation: Conversation): void {
    const others = stored.get().filter(({ id }) => id !== conversation.id);
    const kept = conversation.messages.length > 0 ? [withoutImages(conversation), ...others] : others;
    store(kept.slice(0, maxConversations));
  },
  remove(id: string): void {
    stored.set(stored.get().filter((one) => one.id !== id));
  },
};

export const newConversation = (): Conversation => ({ id: newId(), messages: [] });
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('');

/** The first words the user wrote. */
export const titleOf = ({ messages }: Conversation): string => messages[0]?.text.trim().slice(0, 60) ?? '';

/** The browser's store is small: the oldest conversations make room. */
function store(kept: Conversation[]): void {
  try {
    stored.set(kept);
  } catch (error) {
    if (kept.length <= 1) return; // one conversation larger than the store is simply not kept
    if (error instanceof DOMException) store(kept.slice(0, Math.ceil(kept.length / 2)));
    else throw error;
  }
}

function withoutImages(conversation: Conversation): Conversation {
  return { ...conversation, messages: conversation.messages.map(({ images: _, ...message }) => message) };
}

/** Nothing goes on when a page is opened again. */
function settled(conversation: Conversation): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) =>
      message.status === 'loading' ? { ...message, status: 'incomplete' } : message,
    ),
  };
}

function isConversation(value: unknown): value is Conversation {
  const { id, messages } = (value ?? {}) as Partial<Conversation>;
  return typeof id === 'string' && Array.isArray(messages) && messages.every(isMessage);
}

function isMessage(value: unknown): value is Message {
  const { id, text, role } = (value ?? {}) as Partial<Message>;
  return typeof id === 'string' && typeof text === 'string' && (role === 'user' || role === 'assistant');
}
