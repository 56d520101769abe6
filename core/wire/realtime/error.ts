import type { Language } from '../../errors/app-error.ts';
import { describeError } from '../describe-error.ts';

interface ErrorReader {
  /** Of our own; the id of the event. */
  id: string;
  /** What the client looks up in our log. */
  requestId: string;
  language: Language;
  /** The event of the client that is at fault. */
  causedBy?: string | undefined;
}

/** An error as the event that OpenAI's clients raise. */
export function writeErrorEvent(error: unknown, { id, requestId, language, causedBy }: ErrorReader): string {
  const { message, type, param, code } = describeError(error, language);
  return JSON.stringify({
    type: 'error',
    event_id: `event_${id}`,
    error: {
      type,
      code: code === null ? null : String(code),
      message: `${message} (request id: ${requestId})`,
      param: param === '' ? null : param,
      event_id: causedBy ?? null,
    },
  });
}
