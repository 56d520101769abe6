import type { ChatProtocol, ChatRequest } from './chat-request.ts';

/** A call that asks for nothing in particular: for writers of responses whose request is not at hand. */
export function emptyChatRequest(origin: ChatProtocol, model: string): ChatRequest {
  return {
    origin,
    model,
    stream: true,
    maxOutput: undefined,
    sampling: {},
    stop: [],
    logprobs: undefined,
    instructions: [],
    messages: [],
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
  };
}
