import type { ChatRequest } from '../../core/canonical/chat-request.ts';

/** A neutral chat call with nothing in it but what a test is about. */
export function chatRequest(fields: Partial<ChatRequest> = {}): ChatRequest {
  return {
    origin: 'openai-chat',
    model: 'm',
    stream: false,
    maxOutput: undefined,
    sampling: {},
    stop: [],
    logprobs: undefined,
    instructions: [],
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
    tools: [],
    toolChoice: undefined,
    parallelTools: undefined,
    output: { kind: 'text' },
    reasoning: undefined,
    cache: undefined,
    userId: undefined,
    serviceTier: undefined,
    metadata: undefined,
    store: undefined,
    previousResponseId: undefined,
    extras: {},
    ...fields,
  };
}
