import type { ChatRequest, Part } from './chat-request.ts';
import { instructionTexts } from './instruction.ts';
import { nativeText } from './native-text.ts';

export interface Transcript {
  text: string;
  /** More than one message is in it, under headings. */
  isJoined: boolean;
}

/** A conversation as one text, for upstreams that take a single question; one message of the user is in it alone. */
export function writeTranscript(
  request: Pick<ChatRequest, 'instructions' | 'messages'>,
  ...notes: string[]
): Transcript {
  const system = [...instructionTexts(request), ...notes].map((text) => ({ role: 'system', text }));
  const turns = request.messages.map(({ role, parts }) => ({ role, text: textOfTurn(parts) }));
  const said = [...system, ...turns].filter(({ text }) => text !== '');
  const [only] = said;
  if (said.length < 2) return { text: only?.text ?? '', isJoined: false };
  return { text: said.map(({ role, text }) => `${role.toUpperCase()}:\n${text}\n`).join(''), isJoined: true };
}

function textOfTurn(parts: readonly Part[]): string {
  return parts.map(textOfPart).filter(Boolean).join('\n\n');
}

/** Thoughts stay with the vendor that thought them, pictures and files go another way. */
function textOfPart(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'toolCall':
      return `[Tool call ${part.name}: ${part.arguments}]`;
    case 'toolResult':
      return `[Tool result: ${textOfTurn(part.parts)}]`;
    case 'native':
      return nativeText(part) ?? '';
    default:
      return '';
  }
}
