import type { Status } from '../api/status.ts';

export interface ChatLink {
  name: string;
  template: string;
}

/** The configured chat programs, or the older single links; undefined for a setting that cannot be read. */
export function chatLinks({ chats, chat_link: first, chat_link2: second }: Status): ChatLink[] | undefined {
  const list: unknown = chats;
  if (!Array.isArray(list) || !list.every(isChat)) return undefined;
  const named = list.flatMap((chat) => Object.entries(chat)).map(([name, template]) => ({ name, template }));
  if (named.length > 0) return named;
  return [first, second].filter(Boolean).map((template) => ({ name: '', template }));
}

/** As the server wrote it, or an older one, or whatever a browser has kept. */
const isChat = (chat: unknown): chat is Record<string, string> =>
  typeof chat === 'object' && chat !== null && Object.values(chat).every((template) => typeof template === 'string');

/** Never run or read anything in the page that opens them. */
const harmfulSchemes = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** The link with key and address filled in; undefined when a browser may not open it. */
export function filledChatLink(template: string, key: string, address: string): string | undefined {
  const link = template.replaceAll('{key}', `sk-${key}`).replaceAll('{address}', encodeURIComponent(address));
  return URL.canParse(link) && !harmfulSchemes.includes(new URL(link).protocol) ? link : undefined;
}
