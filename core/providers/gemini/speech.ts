import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { UsageMetadata } from '../../wire/gemini/usage.ts';
import { type PcmFormat, wavFile } from '../../wire/openai-audio/wav.ts';
import { writeUsage } from '../../wire/openai-chat/usage.ts';
import { FileResponse, type UpstreamCall, type UpstreamRequest } from '../adapter.ts';

const formats = ['wav', 'pcm'];

/** Tokens of sound for one character of text: 25 a second, and slow speech has 10 characters a second. */
const tokensPerCharacter = 2.5;

/** Gemini's models that speak; its other models write. */
export function speaks(model: string): boolean {
  return /^gemini-.*\btts\b/.test(model);
}

/** What a text may cost in tokens of sound, because Gemini sells speech by them. */
export function speechBound(model: string, characters: number | undefined): number {
  return characters !== undefined && speaks(model) ? Math.ceil(characters * tokensPerCharacter) : 0;
}

/** An OpenAI speech call for `generateContent` with sound in the response. Voices go by Google's names. */
export function toSpeech(
  { fields, request, model }: UpstreamCall,
  provider: string,
): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  if (request.stream) throw refuse('stream_format');
  const speed = fields.value('speed');
  if (typeof speed === 'number' && speed !== 1) throw refuse('speed');
  const field = 'response_format';
  const value = textOf(fields.value(field)) || 'wav';
  if (!formats.includes(value)) {
    const allowed = formats.join(', ');
    throw new AppError('provider.valueNotOffered', { provider, field, value, allowed }, { param: field });
  }
  const voiceName = textOf(fields.value('voice'));
  const text = [textOf(fields.value('instructions')), textOf(fields.value('input'))].filter(Boolean).join(':\n');
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        ...(voiceName && { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } } }),
      },
    },
    readResponse: (response) => fileOf(response, value, model),
  };
}

function fileOf(response: unknown, format: string, model: string): FileResponse {
  const { candidates, promptFeedback, usageMetadata } = recordOf(response);
  const parts = recordsOf(candidates).flatMap(({ content }) => recordsOf(recordOf(content).parts));
  const sounds = parts.map(({ inlineData }) => recordOf(inlineData)).filter(({ data }) => textOf(data) !== '');
  const pcm = Buffer.concat(sounds.map(({ data }) => Buffer.from(textOf(data), 'base64')));
  if (pcm.length === 0) throw noAudio(textOf(recordOf(promptFeedback).blockReason));
  const usage = speechUsage(usageMetadata, model);
  if (format === 'pcm') return new FileResponse(pcm, 'audio/pcm', usage);
  return new FileResponse(wavFile(pcm, pcmFormat(textOf(sounds[0]?.mimeType))), 'audio/wav', usage);
}

/** `audio/L16;codec=pcm;rate=24000`: 16 bits, one channel. */
function pcmFormat(mimeType: string): PcmFormat {
  const rate = Number(/rate=(\d{4,6})/.exec(mimeType)?.[1]);
  return { rate: rate || 24_000, channels: 1, bits: 16 };
}

function noAudio(blockReason: string): UpstreamError {
  return blockReason === ''
    ? new UpstreamError({ status: 502, coded: coded('upstream.noAudio'), kind: 'retry' })
    : new UpstreamError({
        status: 400,
        coded: coded('upstream.notSpokenFor', { said: blockReason }),
        kind: 'policy',
        code: 'content_policy_violation',
      });
}

/** These models write nothing but sound; the details are often left out. */
function speechUsage(metadata: unknown, model: string): Record<string, unknown> | undefined {
  const counts = new UsageMetadata();
  counts.add(metadata);
  const usage = counts.read(model);
  return usage && writeUsage({ ...usage, audioOutput: usage.audioOutput || usage.completion });
}
