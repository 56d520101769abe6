import { describeError, type ErrorReader } from '../describe-error.ts';

export interface WrittenOpenAiError {
  status: number;
  headers: Record<string, string>;
  body: OpenAiErrorBody;
}

export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | number | null };
}

/** An error in the shape of the OpenAI family. Unexpected errors only say that they happened. */
export function writeOpenAiError(error: unknown, { requestId, language }: ErrorReader): WrittenOpenAiError {
  const { status, retryAfterSeconds, message, ...members } = describeError(error, language);
  return {
    status,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    body: { error: { message: `${message} (request id: ${requestId})`, ...members } },
  };
}

/** The event that ends a broken stream visibly: SDKs raise it, and no `[DONE]` follows. */
export function streamErrorEvent(error: unknown, reader: ErrorReader): string {
  return `data: ${JSON.stringify(writeOpenAiError(error, reader).body)}\n\n`;
}
