import { describe, expect, it } from 'vitest';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { finish } from '../../../core/lib/steps.ts';
import { createResponseFormat } from '../../../core/wire/openai-chat/response-format.ts';
import { upstreams } from '../../support/chat-codecs.ts';
import { chatRequest } from '../../support/chat-request.ts';

/** Calls without an id, as some upstreams make them. */
const nameless: [ChatProtocol, unknown][] = [
  ['gemini', { candidates: [{ content: { parts: Array(130).fill({ functionCall: { name: 'f' } }) } }] }],
  ['openai-chat', { choices: [{ index: 127, message: { tool_calls: Array(128).fill({ function: { name: 'f' } }) } }] }],
  ['openai-responses', { output: Array(130).fill({ type: 'function_call', name: 'f', arguments: '{}' }) }],
];

/** What OpenAI takes, of its own calls and of those that another vendor's model has made in the same conversation. */
const maximum = 40;

describe('ids of tool calls', () => {
  it.each(nameless)('are short enough for OpenAI where a %s upstream names none', (name, response) => {
    const identity = { id: newRequestId(), model: 'm', created: 1 };
    const events = upstreams[name].readResponse(response, { identity });
    const ids = events.flatMap((event) => (event.type === 'open' && event.kind === 'toolCall' ? [event.id] : []));
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.length > maximum)).toEqual([]);
    const again = upstreams[name].readResponse(response, { identity: { ...identity, id: newRequestId() } });
    expect(again.filter((event) => event.type === 'open' && 'id' in event && ids.includes(event.id))).toEqual([]);
  });

  it.each([{ force_format: true }, { isMended: true }])('are so in a response that is put into form: %j', (setting) => {
    const identity = { id: newRequestId(), model: 'm', created: 1 };
    const format = createResponseFormat(setting, identity);
    const response = { choices: [{ message: { tool_calls: [{ function: { name: 'f', arguments: {} } }] } }] };
    const written = JSON.stringify(format?.convert(response));
    expect(/"id":"(call_[^"]+)"/.exec(written)?.[1]?.length).toBeLessThanOrEqual(maximum);
  });

  it.each<[ChatProtocol, number]>([
    ['openai-chat', 40],
    ['openai-responses', 64],
  ])('of other vendors are shortened alike in call and result for a %s upstream', (name, limit) => {
    const ids = ['a', 'b'].map((end) => 'x'.repeat(limit) + end).concat('y'.repeat(limit));
    const request = chatRequest({
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
        { role: 'assistant', parts: ids.map((id) => ({ kind: 'toolCall', id, name: 'f', arguments: '{}' })) },
        { role: 'tool', parts: ids.map((callId) => ({ kind: 'toolResult', callId, parts: [] })) },
      ],
    });
    const body = writeJson(finish(upstreams[name].writeRequest(request, { model: 'm', defaultMaxOutput: 1 })).body);
    const sent = [...body.matchAll(/"(?:id|call_id|tool_call_id)":"([^"]+)"/g)].map(([, id = '']) => id);
    expect(sent).toHaveLength(6);
    expect(sent.slice(0, 3)).toEqual(sent.slice(3));
    expect(new Set(sent).size).toBe(3);
    expect(sent[2]).toBe(ids[2]);
    expect(sent.every((id) => id.length <= limit)).toBe(true);
  });
});
