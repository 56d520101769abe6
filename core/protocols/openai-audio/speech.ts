import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import { checkNumber, isRecord, readModel, readText, wrong } from '../../wire/request-field.ts';

const defaultModel = 'tts-1';

export const openaiSpeech: Protocol = {
  name: 'openai-speech',
  path: '/v1/audio/speech',
  body: 'json',
  defaultModel,
  parse: parseSpeech,
  readUsage: (answer) => readAnswerUsage(answer),
  readText: () => [],
  readEvent: readSpeechEvent,
  terminal: '',
  // Concerns `stream_format: sse` alone; sound itself ends where its bytes end.
  needsFinish: true,
};

function parseSpeech(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel, defaultModel);
  if (!fields.has('input')) throw wrong('request.fieldMissing', 'input');
  const input = readText(fields, 'input', 65_536);
  if (input === undefined) throw wrong('request.notText', 'input');
  if (input === '') throw wrong('request.fieldEmpty', 'input');
  checkNumber(fields, 'speed', 0.25, 4);
  const format = readText(fields, 'stream_format', 16);
  if (format !== undefined && format !== 'audio' && format !== 'sse')
    throw wrong('request.notOneOf', 'stream_format', { allowed: 'audio, sse' });
  return {
    model,
    stream: format === 'sse',
    wantsUsage: false,
    maxCompletion: undefined,
    units: { characters: countCharacters(input) },
  };
}

/** Code points, as speech is priced: an emoji is one character. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** `speech.audio.delta` and `speech.audio.done`; the last one carries usage. */
function readSpeechEvent(event: unknown): EventReading {
  const reading: EventReading = { text: '', usage: undefined, usageOnly: false, finished: false, error: undefined };
  if (!isRecord(event)) return reading;
  if (event.error || event.type === 'error') reading.error = event.error || event;
  reading.finished = event.type === 'speech.audio.done';
  reading.usage = readAnswerUsage(event);
  return reading;
}
