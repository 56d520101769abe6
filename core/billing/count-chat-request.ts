import type { ChatRequest, MediaSource, Message, Part, Tool } from '../canonical/chat-request.ts';
import { audioPartTokens, pictureTokens } from './count-prompt.ts';
import type { TokenCounter } from './count-tokens.ts';

/** What a request puts before a model: texts for the tokeniser, and tokens whose number is known without it. */
interface Gathered {
  texts: string[];
  tokens: number;
}

/** As OpenAI counts chats (relay reference, 7): each message is framed, and the response's beginning is part of the prompt. */
const messageTokens = 3;
const responseStartTokens = 3;
const toolListTokens = 8;
/** Anthropic's sheet has 1,500 to 3,000 for a page, its text and its picture. */
const pageTokens = 1500;
const bytesPerPage = 75_000;
/** Longer documents are not searched for their pages, so that no request holds the others up. */
const searchedCharacters = 4 * 1024 * 1024;

/**
 * Prompt tokens of a neutral chat request, the same number whichever protocol it came in. Pictures and sounds have a fixed number,
 * PDFs one by their pages; what an upstream's own state (signatures, encrypted thoughts) counts is not known here.
 */
export async function countChatRequest(
  request: Pick<ChatRequest, 'instructions' | 'messages' | 'tools'>,
  counter: TokenCounter,
  model: string,
): Promise<number> {
  const gathered: Gathered = { texts: [], tokens: responseStartTokens };
  const { instructions, messages, tools } = request;
  if (instructions.length > 0) gatherMessage(gathered, { role: 'system', parts: instructions }, model);
  for (const message of messages) gatherMessage(gathered, message, model);
  gatherTools(gathered, tools);
  const texts = gathered.texts.filter((text) => text !== '');
  return gathered.tokens + (await counter.count(texts, model));
}

function gatherMessage(gathered: Gathered, { role, parts, name }: Message, model: string): void {
  // Every tool result is a message of its own at OpenAI, where other protocols put all of them into one.
  const frames = role === 'tool' ? Math.max(1, parts.length) : 1;
  gathered.tokens += frames * messageTokens;
  for (let frame = 0; frame < frames; frame += 1) gathered.texts.push(role);
  if (name !== undefined) {
    gathered.tokens += 1;
    gathered.texts.push(name);
  }
  for (const part of parts) gatherPart(gathered, part, model);
}

function gatherPart(gathered: Gathered, part: Part, model: string): void {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      gathered.texts.push(part.text);
      return;
    case 'image':
      gathered.tokens += pictureTokens(model, part.detail);
      return;
    case 'audio':
      gathered.tokens += audioPartTokens;
      return;
    case 'document':
      gathered.texts.push(part.title ?? '', part.context ?? '');
      gatherDocument(gathered, part.source, model);
      return;
    case 'toolCall':
      gathered.texts.push(part.name, part.arguments);
      return;
    case 'toolResult':
      for (const inner of part.parts) gatherPart(gathered, inner, model);
      return;
    case 'native':
      gathered.texts.push(JSON.stringify(part.raw) ?? '');
      return;
    case 'reasoning':
      // Thoughts of earlier turns are left out by the upstreams themselves.
      return;
  }
}

function gatherDocument(gathered: Gathered, source: MediaSource, model: string): void {
  if (source.type !== 'data') gathered.tokens += pictureTokens(model);
  else if (source.mime.startsWith('text/')) gathered.texts.push(Buffer.from(source.data, 'base64').toString());
  else gathered.tokens += pagesOf(source.data) * pageTokens;
}

/** Pages as a PDF lists them; by its size where the list is packed or the document long. */
function pagesOf(base64: string): number {
  const bytes = (base64.length * 3) / 4;
  const bySize = Math.max(1, Math.round(bytes / bytesPerPage));
  if (base64.length > searchedCharacters) return bySize;
  const listed =
    Buffer.from(base64, 'base64')
      .toString('latin1')
      .match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  return listed > 0 ? listed : bySize;
}

function gatherTools(gathered: Gathered, tools: readonly Tool[]): void {
  if (tools.length === 0) return;
  gathered.tokens += toolListTokens;
  for (const tool of tools) gathered.texts.push(toolText(tool));
}

function toolText(tool: Tool): string {
  switch (tool.kind) {
    case 'function':
      return tool.name + (tool.description ?? '') + jsonOf(tool.schema);
    case 'custom':
      return tool.name + (tool.description ?? '') + jsonOf(tool.grammar);
    case 'hosted':
      return jsonOf(tool.raw);
  }
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : (JSON.stringify(value) ?? '');
}
