import type { ChatProtocol } from '../../core/canonical/chat-request.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
/** The same conversation in every protocol: a system text, a picture, two calls at once and their results. */
export const conversations: Record<ChatProtocol, Record<string, unknown>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'system', content: 'SYSTEM' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'QUESTION' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,UElDVFVSRQ==' } },
        ],
      },
      {
        role: 'assistant',
        content: 'SAID',
        tool_calls: ['one', 'two'].map((id) => ({
          id: `call_${id}`,
          type: 'function',
          function: { name: 'read', arguments: `{"path":"${id}"}` },
        })),
      },
      { role: 'tool', tool_call_id: 'call_two', content: 'RESULT two' },
      { role: 'tool', tool_call_id: 'call_one', content: 'RESULT one' },
      { role: 'user', content: 'NEXT' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
    tool_choice: 'required',
  },
  'openai-responses': {
    model: 'm',
    instructions: 'SYSTEM',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'QUESTION' },
          { type: 'input_image', image_url: 'data:image/png;base64,UElDVFVSRQ==' },
        ],
      },
      { role: 'assistant', content: 'SAID' },
      ...['one', 'two'].map((id) => ({
        type: 'function_call',
        call_id: `call_${id}`,
        name: 'read',
        arguments: `{"path":"${id}"}`,
      })),
      ...['two', 'one'].map((id) => ({ type: 'function_call_output', call_id: `call_${id}`, output: `RESULT ${id}` })),
      { role: 'user', content: 'NEXT' },
    ],
    tools: [{ type: 'function', name: 'read', parameters: schema, strict: false }],
    tool_choice: 'required',
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 100,
    system: 'SYSTEM',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'QUESTION' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'UElDVFVSRQ==' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'SAID' },
          ...['one', 'two'].map((id) => ({ type: 'tool_use', id: `call_${id}`, name: 'read', input: { path: id } })),
        ],
      },
      {
        role: 'user',
        content: [
          ...['two', 'one'].map((id) => ({ type: 'tool_result', tool_use_id: `call_${id}`, content: `RESULT ${id}` })),
          { type: 'text', text: 'NEXT' },
        ],
      },
    ],
    tools: [{ name: 'read', input_schema: schema }],
    tool_choice: { type: 'any' },
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'SYSTEM' }] },
    contents: [
      { role: 'user', parts: [{ text: 'QUESTION' }, { inlineData: { mimeType: 'image/png', data: 'UElDVFVSRQ==' } }] },
      {
        role: 'model',
        parts: [
          { text: 'SAID' },
          ...['one', 'two'].map((id) => ({ functionCall: { id: `call_${id}`, name: 'read', args: { path: id } } })),
        ],
      },
      {
        role: 'user',
        parts: ['two', 'one'].map((id) => ({
          functionResponse: { id: `call_${id}`, name: 'read', response: { output: `RESULT ${id}` } },
        })),
      },
      { role: 'user', parts: [{ text: 'NEXT' }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'read', parameters: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  },
};
