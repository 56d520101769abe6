import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { checkNumber, formFields, readBoolean, readModel, readText, refuseFields, wrong } from '../request-field.ts';
import { spokenSeconds } from './spoken-seconds.ts';

export const defaultSpeechModel = 'tts-1';
export const defaultTranscriptionModel = 'whisper-1';

export function parseSpeech(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel, defaultSpeechModel);
  if (!fields.has('input')) throw wrong('request.fieldMissing', 'input');
  const input = readText(fields, 'input', 65_536);
  if (input === undefined) throw wrong('request.notText', 'input');
  if (input === '') throw wrong('request.fieldEmpty', 'input');
  checkNumber(fields, 'speed', 0.25, 4);
  const speed = fields.value('speed');
  const characters = countCharacters(input);
  const format = readText(fields, 'stream_format', 16);
  if (format !== undefined && format !== 'audio' && format !== 'sse')
    throw wrong('request.notOneOf', 'stream_format', { allowed: 'audio, sse' });
  return {
    model,
    stream: format === 'sse',
    wantsUsage: false,
    maxCompletion: undefined,
    units: { characters, spokenSeconds: spokenSeconds(input, characters, typeof speed === 'number' ? speed : 1) },
  };
}

export function parseTranscription(fields: RequestFields, pathModel?: string): RelayRequest {
  return parseAudioForm(fields, pathModel, true);
}

export function parseTranslation(fields: RequestFields, pathModel?: string): RelayRequest {
  return parseAudioForm(fields, pathModel, false);
}

function parseAudioForm(fields: RequestFields, pathModel: string | undefined, canStream: boolean): RelayRequest {
  const model = readModel(fields, pathModel, defaultTranscriptionModel);
  if (!fields.has('file')) throw wrong('request.fieldMissing', 'file');
  // Some servers take sound from an address instead: its length could not be measured.
  refuseFields(fields, ['url']);
  readText(fields, 'response_format', 32);
  const typed = formFields(fields);
  checkNumber(typed, 'temperature', 0, 1);
  const stream = canStream && readBoolean(typed, 'stream');
  return { model, stream, wantsUsage: false, maxCompletion: undefined, units: {} };
}

/** Code points, as speech is priced: an emoji is one character. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
