import { isRecord } from '../../lib/json-value.ts';

/** The text of an answer, which is JSON, or plain text for the formats text, srt and vtt. */
export function readTranscript(answer: unknown): string[] {
  if (typeof answer === 'string') return answer === '' ? [] : [answer];
  return isRecord(answer) && typeof answer.text === 'string' && answer.text !== '' ? [answer.text] : [];
}
