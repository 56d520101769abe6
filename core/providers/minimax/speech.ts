import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { FileResponse, type UpstreamCall, type UpstreamRequest } from '../adapter.ts';

const contentTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/** An OpenAI speech call for `t2a_v2`, whose sound comes as hexadecimal digits. Voices go by the vendor's names. */
export function toSpeech(
  call: UpstreamCall,
  provider: string,
): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { fields, request, model } = call;
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  if (request.stream) throw refuse('stream_format');
  const format = textOf(fields.value('response_format')) || 'mp3';
  const contentType = Object.hasOwn(contentTypes, format) ? contentTypes[format] : undefined;
  if (contentType === undefined) throw refuse(`response_format: ${format}`);
  const speed = fields.value('speed');
  return {
    body: {
      model,
      text: fields.value('input'),
      stream: false,
      voice_setting: { voice_id: fields.value('voice'), ...(typeof speed === 'number' && { speed: bounded(speed) }) },
      audio_setting: { format },
    },
    readResponse: (response) => new FileResponse(soundIn(response), contentType),
  };
}

/** The vendor's range is narrower than OpenAI's. */
function bounded(speed: number): number {
  return Math.min(2, Math.max(0.5, speed));
}

function soundIn(response: unknown): Buffer {
  const digits = textOf(recordOf(recordOf(response).data).audio);
  if (digits === '' || digits.length % 2 === 1 || !/^[\da-f]+$/i.test(digits)) {
    throw new UpstreamError({ status: 502, coded: coded('upstream.noAudio'), kind: 'retry' });
  }
  return Buffer.from(digits, 'hex');
}
