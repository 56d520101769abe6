import type { ChatBody, ChatMessage } from '../../api/playground.ts';
import type { Message } from './conversation.ts';
import type { PlaygroundSettings } from './setting.ts';

/** The messages sent for the next response: the whole conversation without failed responses. */
export function chatBody(messages: Message[], settings: PlaygroundSettings): ChatBody {
  const { model, group, temperature, maxTokens, system } = settings;
  const said = messages.filter(({ role, text }) => role === 'user' || text !== '').map(toChatMessage);
  return {
    model,
    ...(group && { group }),
    messages: [...(system.trim() ? [{ role: 'system', content: system } as const] : []), ...said],
    stream: true,
    temperature,
    ...(maxTokens > 0 && { max_tokens: maxTokens }),
  };
}

function toChatMessage({ role, text, images = [] }: Message): ChatMessage {
  if (images.length === 0) return { role, content: text };
  const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }) as const);
  return { role, content: [...(text ? [{ type: 'text', text } as const] : []), ...pictures] };
}

/** The same call for a terminal, with a key of the caller's. The group belongs to the key there. */
export function curlOf({ group: _, ...body }: ChatBody, baseUrl: string): string {
  const json = JSON.stringify(body, shortened, 2).replaceAll("'", "'\\''");
  return [
    `curl ${baseUrl}/chat/completions \\`,
    '  -H "Authorization: Bearer sk-…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${json}'`,
  ].join('\n');
}

/** A picture would fill the screen a thousand times. */
function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('data:image/') ? `${value.slice(0, 40)}…` : value;
}
