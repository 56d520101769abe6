import { expect, it } from 'vitest';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { anthropicClient } from '../../../core/wire/anthropic-messages/client-codec.ts';
import { chatUpstreams } from '../../../core/wire/chat-upstream.ts';

const found = {
  ...{ type: 'search_result', title: 'Title', source: 'https://a.example' },
  content: [{ type: 'text', text: 'passage' }],
};
const text = (words: string) => ({ type: 'text', text: words });
const messages = [
  { role: 'user', content: [text('hi'), found] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [text('first'), text('second'), found] }],
  },
];

it.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
  'the texts of a tool result, and search results, are told apart and whole to %s',
  (protocol) => {
    const call = { model: 'm', max_tokens: 50, messages, tools: [{ name: 'f', input_schema: { type: 'object' } }] };
    const request = finish(anthropicClient.readRequest(call));
    const context = { model: 'gemini-3-flash', defaultMaxOutput: 4096 };
    const { body, losses } = finish(chatUpstreams[protocol].writeRequest(request, context));
    const written = writeJson(body);
    expect(written).toContain('first\\nsecond\\nTitle');
    expect(written.split('https://a.example\\n\\npassage')).toHaveLength(3);
    expect(losses).toEqual([{ field: 'messages', kind: 'emulated' }]);
  },
);
