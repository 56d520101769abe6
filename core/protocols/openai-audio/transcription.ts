import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import {
  checkNumber,
  formFields,
  isRecord,
  readBoolean,
  readModel,
  readText,
  wrong,
} from '../../wire/request-field.ts';

const defaultModel = 'whisper-1';

export const openaiTranscription: Protocol = {
  name: 'openai-transcription',
  path: '/v1/audio/transcriptions',
  body: 'multipart',
  defaultModel,
  parse: (fields, pathModel) => parseAudioForm(fields, pathModel, true),
  readUsage: (answer) => readAnswerUsage(answer),
  readText: readTranscript,
  readEvent: readTranscriptEvent,
  terminal: '',
  needsFinish: true,
};

export const openaiTranslation: Protocol = {
  ...openaiTranscription,
  name: 'openai-translation',
  path: '/v1/audio/translations',
  parse: (fields, pathModel) => parseAudioForm(fields, pathModel, false),
};

function parseAudioForm(fields: RequestFields, pathModel: string | undefined, canStream: boolean): RelayRequest {
  const model = readModel(fields, pathModel, defaultModel);
  if (!fields.has('file')) throw wrong('request.fieldMissing', 'file');
  readText(fields, 'response_format', 32);
  const typed = formFields(fields);
  checkNumber(typed, 'temperature', 0, 1);
  const stream = canStream && readBoolean(typed, 'stream');
  return { model, stream, wantsUsage: false, maxCompletion: undefined, units: {} };
}

/** The answer is JSON, or plain text for the formats text, srt and vtt. */
function readTranscript(answer: unknown): string[] {
  if (typeof answer === 'string') return answer === '' ? [] : [answer];
  return isRecord(answer) && typeof answer.text === 'string' && answer.text !== '' ? [answer.text] : [];
}

/** `transcript.text.delta` and `.segment` go before `transcript.text.done`, which repeats the whole text and carries usage. */
function readTranscriptEvent(event: unknown): EventReading {
  const reading: EventReading = { text: '', usage: undefined, usageOnly: false, finished: false, error: undefined };
  if (!isRecord(event)) return reading;
  if (event.error || event.type === 'error') reading.error = event.error || event;
  if (event.type === 'transcript.text.delta' && typeof event.delta === 'string') reading.text = event.delta;
  reading.finished = event.type === 'transcript.text.done';
  reading.usage = readAnswerUsage(event);
  return reading;
}
