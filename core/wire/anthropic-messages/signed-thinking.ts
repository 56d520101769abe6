import type { Message, Opaque, Part } from '../../canonical/chat-request.ts';
import { protocolName } from './protocol-name.ts';

/** State that Anthropic itself made and will read again; a blank signature is always refused. */
export function ownOpaque(opaque: Opaque | undefined): Opaque | undefined {
  const isOwn = opaque?.origin === protocolName && opaque.value.trim() !== '';
  return isOwn && opaque.kind !== 'encrypted' ? opaque : undefined;
}

/** The conversation waits on tool results, and the calls have lost the thinking they came from. */
export function lacksSignedThinking(messages: readonly Message[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const turn = messages[last];
  const isToolLoop = turn?.parts.some(isCall) && messages.slice(last + 1).some(({ parts }) => parts.some(isResult));
  return isToolLoop === true && !turn?.parts.some((part) => part.kind === 'reasoning' && ownOpaque(part.opaque));
}

function isCall({ kind }: Part): boolean {
  return kind === 'toolCall';
}

function isResult({ kind }: Part): boolean {
  return kind === 'toolResult';
}
