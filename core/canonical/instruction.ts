import type { ChatRequest, Part } from './chat-request.ts';

/**
 * A line Claude Code puts first, with a hash that changes with every call: no upstream but Anthropic's would ever find the prompt
 * in its cache again.
 */
const billingLine = /^x-anthropic-billing-header:[^\n]*\n?/;

/** The system texts for an upstream of another vendor than Anthropic, blank ones left out. */
export function instructionTexts({ instructions }: Pick<ChatRequest, 'instructions'>): string[] {
  return instructions
    .map((part) => (part.kind === 'text' ? part.text.replace(billingLine, '') : ''))
    .filter((text) => text.trim() !== '');
}

/** Pictures and files among them have no place where instructions are texts; empty without any. */
export function otherInstructions({ instructions }: Pick<ChatRequest, 'instructions'>): Part[] {
  return instructions.filter(({ kind }) => kind !== 'text');
}

/** All text of parts, the others left out. */
export function textOfParts(parts: readonly Part[], between = ''): string {
  return parts
    .filter((part) => part.kind === 'text')
    .map((part) => part.text)
    .join(between);
}
