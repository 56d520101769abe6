import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import { writeOpenAiChatRequest } from '../../wire/openai-chat/write-request.ts';

/** OpenAI's request. Members of an OpenAI client that this vendor alone knows (`chatId`, `variables`) are in it as they came. */
export function* writeFastGptRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const { body, ...written } = yield* writeOpenAiChatRequest(request, context);
  const { stream_options: _options, max_completion_tokens: limit, ...members } = body;
  return { ...written, body: { ...members, ...(limit !== undefined && { max_tokens: limit }) } };
}
