import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import { type AudioFormat, readAudioFormat } from './audio-format.ts';

/** What a session object says about things that are billed. Undefined = it says nothing, so it stays as it was. */
export interface SessionFacts {
  model: string | undefined;
  /** The model that transcribes the caller; '' = none. */
  transcriptionModel: string | undefined;
  /** Every model that is named for it: a session object has two places, and only the upstream knows which of them it reads. */
  transcriptionModels: readonly string[];
  inputFormat: AudioFormat | undefined;
  outputFormat: AudioFormat | undefined;
  /** What the model reads before each response. */
  instructions: string | undefined;
}

/** Reads both shapes: the beta's flat fields, and `audio.input` and `audio.output` of the interface that took its place. */
export function readSessionFacts(session: unknown): SessionFacts {
  const fields = recordOf(session);
  const audio = recordOf(fields.audio);
  const input = recordOf(audio.input);
  const output = recordOf(audio.output);
  const transcriptions = [
    transcriptionOf(input, 'transcription'),
    transcriptionOf(fields, 'input_audio_transcription'),
  ].filter((model) => model !== undefined);
  return {
    model: textOf(fields.model),
    transcriptionModel: transcriptions[0],
    transcriptionModels: transcriptions.filter((model) => model !== ''),
    inputFormat: readAudioFormat(input.format ?? fields.input_audio_format),
    outputFormat: readAudioFormat(output.format ?? fields.output_audio_format),
    instructions: textOf(fields.instructions),
  };
}

/** `null` switches the transcription off. */
function transcriptionOf(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  return value === null ? '' : textOf(recordOf(value).model);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
