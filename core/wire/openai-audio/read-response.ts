import { isJsonObject, recordOf } from '../../lib/json-value.ts';

/** The text of a response, which is JSON, or plain text for the formats text, srt and vtt. */
export function readTranscript(response: unknown): string[] {
  if (typeof response === 'string') return response === '' ? [] : [response];
  return isJsonObject(response) && typeof response.text === 'string' && response.text !== '' ? [response.text] : [];
}

/** What an adapter has unpacked from its vendor's JSON; a document that stays one has no sound in it. */
export function isFile(response: unknown): boolean {
  return Buffer.isBuffer(recordOf(response).bytes);
}

export function isTranscript(response: unknown): boolean {
  return typeof recordOf(response).text === 'string' || isFile(response);
}
