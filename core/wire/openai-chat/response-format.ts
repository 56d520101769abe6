import { writeJson } from '../../lib/raw-json.ts';
import { placeWords } from './choice-words.ts';
import { createChunkFormatter, formatResponse } from './force-format.ts';
import { createResponseMender } from './mend-response.ts';
import { createThinkingMover, moveThinking } from './thinking-to-content.ts';
import type { StreamIdentity } from './usage-chunk.ts';

/** What a channel's settings make of a response before the client gets it. */
export interface ResponseFormat {
  convert(response: unknown): unknown;
  /** One event of a stream as JSON text, '' when nothing of it is left. Events in order: the format remembers. */
  event(event: unknown): string;
}

interface FormatSetting {
  force_format?: boolean;
  thinking_to_content?: boolean;
  /** The vendor writes some things in ways that OpenAI's SDKs misread. */
  isMended?: boolean | undefined;
}

/** Undefined when nothing is asked for, so that bytes pass as they are. `identity` fills in for an upstream that names nothing. */
export function createResponseFormat(setting: FormatSetting, identity: StreamIdentity): ResponseFormat | undefined {
  const { force_format: isForced, thinking_to_content: movesThinking, isMended } = setting;
  if (!isForced && !movesThinking && !isMended) return undefined;
  const mend = isMended && !isForced ? createResponseMender(identity) : (response: unknown) => response;
  const formatter = isForced ? createChunkFormatter(identity) : undefined;
  const move = movesThinking ? createThinkingMover() : undefined;
  return {
    convert(given) {
      const response = placeWords(given, 'message');
      const formatted = isForced ? formatResponse(response, identity) : mend(response);
      return movesThinking ? moveThinking(formatted) : formatted;
    },
    event(given) {
      const event = placeWords(given, 'delta');
      const formatted = formatter ? formatter.event(event) : mend(event);
      if (formatted === undefined) return '';
      return writeJson(move ? move(formatted) : formatted);
    },
  };
}
