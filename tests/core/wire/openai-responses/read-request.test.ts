import { describe, expect, it } from 'vitest';
import { finish } from '../../../../core/lib/steps.ts';
import { openaiResponsesClient } from '../../../../core/wire/openai-responses/client-codec.ts';

const read = (body: Record<string, unknown>) => finish(openaiResponsesClient.readRequest(body));

/** As Codex CLI sends it: stateless, reasoning carried by the client, a free-form tool and a hosted one. */
const codex = {
  model: 'gpt-5.4-codex',
  instructions: 'You are a coding agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: workspace-write.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix the test' }] },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      encrypted_content: 'gAAA=',
    },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'shell', arguments: '{"command":["ls"]}' },
    { type: 'message', role: 'user', content: 'and quickly' },
    { type: 'function_call_output', call_id: 'call_1', output: 'a.ts' },
    { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done' },
  ],
  tools: [
    {
      type: 'function',
      name: 'shell',
      description: 'run',
      strict: false,
      parameters: { type: 'object', properties: {} },
    },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'edit',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    { type: 'namespace', name: 'mcp', description: '', tools: [{ type: 'function', name: 'find', parameters: null }] },
    { type: 'web_search' },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread-1',
  text: { verbosity: 'low' },
  truncation: 'disabled',
};

describe('a Responses request', () => {
  it('is read whole in the shape of Codex CLI', () => {
    const request = read(codex);
    expect(request).toMatchObject({
      origin: 'openai-responses',
      model: 'gpt-5.4-codex',
      stream: true,
      parallelTools: false,
      store: false,
      toolChoice: { mode: 'auto' },
      reasoning: { mode: 'effort', effort: 'high', visible: 'summary' },
      cache: { key: 'thread-1' },
      output: { kind: 'text', verbosity: 'low' },
      extras: { truncation: 'disabled' },
    });
    expect(request.instructions).toEqual([
      { kind: 'text', text: 'You are a coding agent.' },
      { kind: 'text', text: 'Sandbox: workspace-write.' },
    ]);
    expect(request.tools.map((tool) => (tool.kind === 'hosted' ? tool.type : tool.name))).toEqual([
      'shell',
      'apply_patch',
      'mcp__find',
      'web_search',
    ]);
  });

  it('brings results directly behind their calls, whatever is between (edge 11)', () => {
    const { messages } = read(codex);
    expect(messages.map(({ role, parts }) => [role, ...parts.map(({ kind }) => kind)])).toEqual([
      ['user', 'text'],
      ['assistant', 'reasoning', 'toolCall'],
      ['tool', 'toolResult'],
      ['user', 'text'],
      ['assistant', 'toolCall'],
      ['tool', 'toolResult'],
    ]);
    expect(messages[1]?.parts[0]).toMatchObject({
      text: 'Look first.',
      opaque: { origin: 'openai-responses', kind: 'encrypted', value: 'gAAA=', id: 'rs_1' },
    });
  });

  it('takes a plain text, pictures and files', () => {
    expect(read({ model: 'm', input: 'hi' }).messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ]);
    const { messages } = read({
      model: 'm',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/PNG;base64,aGk\n=', detail: 'low' },
            { type: 'input_image', image_url: 'https://example.com/a.png' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
          ],
        },
      ],
    });
    expect(messages[0]?.parts).toEqual([
      { kind: 'image', source: { type: 'data', mime: 'image/png', data: 'aGk=' }, detail: 'low' },
      { kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { kind: 'document', source: { type: 'data', mime: 'application/pdf', data: 'JVBE' }, name: 'a.pdf' },
    ]);
  });

  it.each([
    [{ input: 'hi' }, 'model'],
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: 7 }, 'input'],
    [{ model: 'm', input: [null] }, 'input.0'],
    [{ model: 'm', input: [{ role: 'robot', content: 'x' }] }, 'input.0.role'],
    [{ model: 'm', input: [{ type: 'function_call', name: 'f' }] }, 'input.0.call_id'],
    [{ model: 'm', input: 'hi', temperature: 3 }, 'temperature'],
    [{ model: 'm', input: 'hi', max_output_tokens: -1 }, 'max_output_tokens'],
    [{ model: 'm', input: 'hi', tools: [{ name: 'f' }] }, 'tools.0.type'],
    [{ model: 'm', input: 'hi', stream: 'true' }, 'stream'],
  ])('refuses %j and names the field', (body, param) => {
    expect(() => read(body)).toThrowError(expect.objectContaining({ param }));
  });
});
