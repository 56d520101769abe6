import { isJsonObject } from '../../lib/json-value.ts';

/** The text of a response, which is JSON, or plain text for the formats text, srt and vtt. */
export function readTranscript(response: unknown): string[] {
  if (typeof response === 'string') return response === '' ? [] : [response];
  return isJsonObject(response) && typeof response.text === 'string' && response.text !== '' ? [response.text] : [];
}
