import { readResponseUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import {
  defaultSpeechModel,
  defaultTranscriptionModel,
  parseSpeech,
  parseTranscription,
  parseTranslation,
} from './read-request.ts';
import { isFile, isTranscript, readTranscript } from './read-response.ts';
import { readSpeechEvent, readTranscriptEvent, transcriptDocumentEvents } from './read-stream.ts';
import { readTranscriptUsage } from './usage.ts';

export const openaiSpeech: Protocol = {
  name: 'openai-speech',
  path: '/v1/audio/speech',
  body: 'json',
  defaultModel: defaultSpeechModel,
  parse: parseSpeech,
  isResponse: isFile,
  readUsage: (response) => readResponseUsage(response),
  readText: () => [],
  readEvent: readSpeechEvent,
  terminal: '',
  // Concerns `stream_format: sse` alone; sound itself ends where its bytes end.
  needsFinish: true,
};

export const openaiTranscription: Protocol = {
  name: 'openai-transcription',
  path: '/v1/audio/transcriptions',
  body: 'multipart',
  defaultModel: defaultTranscriptionModel,
  parse: parseTranscription,
  isResponse: isTranscript,
  readUsage: readTranscriptUsage,
  readText: readTranscript,
  readEvent: readTranscriptEvent,
  documentChunks: transcriptDocumentEvents,
  textDocument: (text) => ({ text }),
  terminal: '',
  needsFinish: true,
};

export const openaiTranslation: Protocol = {
  ...openaiTranscription,
  name: 'openai-translation',
  path: '/v1/audio/translations',
  parse: parseTranslation,
};
