import { describe, expect, it } from 'vitest';
import type { ChatRequest, Tool } from '../../../core/canonical/chat-request.ts';
import { emptyChatRequest } from '../../../core/canonical/empty-request.ts';
import { withoutSearchOffer } from '../../../core/canonical/search-offer.ts';

const shell: Tool = { kind: 'function', name: 'shell' };
const search = (raw: Record<string, unknown> = {}): Tool => ({
  kind: 'hosted',
  type: 'web_search',
  raw: { type: 'web_search', ...raw },
});
const mcp: Tool = { kind: 'hosted', type: 'mcp', raw: { type: 'mcp' } };

const ask = (tools: Tool[], rest: Partial<ChatRequest> = {}): ChatRequest => ({
  ...emptyChatRequest('openai-responses', 'm'),
  tools,
  ...rest,
});
const kept = (request: ChatRequest, canSearch = false) => {
  const { request: sent, losses } = withoutSearchOffer(request, canSearch);
  return { tools: sent.tools, fields: losses.map(({ field }) => field) };
};

describe('web search at an upstream that has none', () => {
  it('is left out among other tools, and named as left out', () => {
    expect(kept(ask([shell, search()]))).toEqual({ tools: [shell], fields: ['tools: web_search'] });
    expect(kept(ask([shell, search()], { toolChoice: { mode: 'required' } })).tools).toEqual([shell]);
    expect(kept(ask([shell, mcp, search()])).tools).toEqual([shell, mcp]);
  });

  it.each([
    ['alone', ask([search()])],
    ['beside tools that the upstream would have to run, too', ask([search(), mcp])],
    ['named by the choice', ask([shell, search()], { toolChoice: { mode: 'named', name: 'web_search' } })],
    ['asked for in another protocol', ask([shell, search()], { origin: 'openai-chat' })],
  ])('stays, to be refused by name: %s', (_case, request) => {
    expect(kept(request)).toEqual({ tools: request.tools, fields: [] });
  });

  it('stays where the upstream searches beside tools, unless only pages of OpenAI may be read', () => {
    expect(kept(ask([shell, search()]), true).fields).toEqual([]);
    expect(kept(ask([shell, search({ external_web_access: false })]), true).tools).toEqual([shell]);
  });
});
