import type { FakeResponse } from '../../support/upstream-script.ts';

const identity = {
  id: 'chatcmpl-t1',
  object: 'chat.completion.chunk',
  created: 1_767_322_800,
  model: 'gpt-4o-mini-2024-07-18',
};

/** One event of a chat stream, with its role in each as some vendors have it: the relay leaves all of them as they are. */
export function says(content: string): Record<string, unknown> {
  return { ...identity, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] };
}

export const stops = { ...identity, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

export function uses(prompt: number, completion: number): Record<string, unknown> {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { ...identity, choices: [], usage };
}

/** A stream from parts: objects become events, buffers and texts go out as they are. */
export function streamOf(parts: readonly (object | string | Buffer)[], more: Partial<FakeResponse> = {}): FakeResponse {
  const pieces = parts.map((part) =>
    Buffer.isBuffer(part) ? part : Buffer.from(typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`),
  );
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, pieces, ...more };
}

export const done = 'data: [DONE]\n\n';

/** A whole chat response with the usage a test gives it. */
export function chatResponse(usage: unknown, content = 'Hello world'): Record<string, unknown> {
  return {
    ...identity,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}
