import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type ChatBody, findBill, streamChat } from '../../api/playground.ts';
import { chatBody } from './chat-body.ts';
import { type Conversation, conversations, type Message, newConversation, newId } from './conversation.ts';
import type { PlaygroundSettings } from './setting.ts';

export interface Playground {
  conversation: Conversation;
  isResponding: boolean;
  send(text: string, images: string[]): void;
  /** Keeps what has come so far. */
  stop(): void;
  /** Asks once more for the response with this id; what followed it is gone. */
  retry(id: string): void;
  open(conversation: Conversation): void;
}

/** The conversation on the screen and the response that is under way. */
export function usePlayground(settings: PlaygroundSettings): Playground {
  const [conversation, setConversation] = useState(newConversation);
  const running = useRef<AbortController>(undefined);
  const current = useRef(conversation);
  const isResponding = conversation.messages.at(-1)?.status === 'loading';
  useEffect(() => () => running.current?.abort(), []);

  function show(next: Conversation): void {
    current.current = next;
    setConversation(next);
  }

  /** Also reaches responses of a conversation that was left meanwhile, for its bill comes late. */
  function change(conversationId: string, id: string, part: (message: Message) => Partial<Message>): void {
    const isShown = current.current.id === conversationId;
    const from = isShown ? current.current : conversations.get().find((one) => one.id === conversationId);
    if (!from) return;
    const messages = from.messages.map((one) => (one.id === id ? { ...one, ...part(one) } : one));
    const next = { ...from, messages };
    if (isShown) show(next);
    if (messages.at(-1)?.status !== 'loading') conversations.save(next);
  }

  function ask(asked: Message[]): void {
    const response: Message = { id: newId(), role: 'assistant', text: '', status: 'loading', model: settings.model };
    const { id } = current.current;
    show({ id, messages: [...asked, response] });
    conversations.save(current.current);
    const controller = new AbortController();
    running.current = controller;
    void receive({
      body: chatBody(asked, settings),
      signal: controller.signal,
      change: (part) => change(id, response.id, part),
    });
  }

  const stop = () => running.current?.abort();

  return {
    conversation,
    isResponding,
    stop,
    send(text, images) {
      const pictures = images.length > 0 ? { images, imageCount: images.length } : {};
      const message: Message = { id: newId(), role: 'user', text, status: 'complete', ...pictures };
      ask([...current.current.messages, message]);
    },
    retry(id) {
      const { messages } = current.current;
      const position = messages.findIndex((one) => one.id === id);
      if (position > 0) ask(messages.slice(0, position));
    },
    open(next) {
      stop();
      show(next);
    },
  };
}

interface Receiving {
  body: ChatBody;
  signal: AbortSignal;
  change(part: (message: Message) => Partial<Message>): void;
}

/** Writes one response piece by piece, and what it cost when it is over. */
async function receive({ body, signal, change }: Receiving): Promise<void> {
  const begun = performance.now();
  const elapsed = () => Math.round(performance.now() - begun);
  let requestId = '';
  let isComplete = false;
  try {
    for await (const piece of streamChat(body, signal)) {
      requestId = piece.requestId ?? requestId;
      isComplete ||= piece.isEnd ?? false;
      const { text = '', reasoning = '' } = piece;
      if (!text && !reasoning) continue;
      change((before) => ({
        text: before.text + text,
        ...(reasoning && { reasoning: (before.reasoning ?? '') + reasoning }),
        firstTokenMs: before.firstTokenMs ?? elapsed(),
      }));
    }
    change(() => ({ status: isComplete ? 'complete' : 'incomplete', totalMs: elapsed() }));
  } catch (error) {
    change(() => (signal.aborted ? { status: 'incomplete', totalMs: elapsed() } : failed(error)));
  }
  if (!requestId) return;
  // A missing bill is not an error: the log page shows it later.
  const bill = await findBill(requestId).catch(() => undefined);
  if (!bill) return;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, quota } = bill;
  change(() => ({ promptTokens, completionTokens, quota }));
}

function failed(error: unknown): Partial<Message> {
  const text = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ApiError ? error.requestId : '';
  // Most refusals of the server name it themselves.
  return { status: 'error', error: requestId && !text.includes(requestId) ? `${text} (${requestId})` : text };
}
