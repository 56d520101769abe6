import { describeError, type ErrorReader } from '../describe-error.ts';

export interface WrittenCohereError {
  status: number;
  headers: Record<string, string>;
  body: { id: string; message: string };
}

/** An error as Cohere's SDK raises it: its class follows the status. */
export function writeCohereError(error: unknown, { requestId, language }: ErrorReader): WrittenCohereError {
  const { status, retryAfterSeconds, message } = describeError(error, language);
  return {
    status,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    body: { id: requestId, message },
  };
}

export function cohereErrorEvent(error: unknown, reader: ErrorReader): string {
  return `data: ${JSON.stringify(writeCohereError(error, reader).body)}\n\n`;
}
