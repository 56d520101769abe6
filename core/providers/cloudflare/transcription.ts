import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { FileResponse, type UpstreamCall, type UpstreamRequest } from '../adapter.ts';

type Transcription = Required<Pick<UpstreamRequest, 'file' | 'readResponse'>>;

/** An OpenAI transcription as a run of a Whisper model, which takes the sound alone; the newest one takes it as base64. */
export function toTranscription({ model, fields, request }: UpstreamCall, provider: string): Transcription {
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  const format = String(fields.value('response_format') ?? 'json');
  if (!['json', 'text', 'vtt'].includes(format)) throw refuse('response_format');
  if (request.stream) throw refuse('stream');
  return {
    file: { field: 'file', ...(model.includes('turbo') && { member: 'audio' }) },
    readResponse: (response) => write(recordOf(recordOf(response).result), format),
  };
}

function write({ text, vtt }: Record<string, unknown>, format: string): unknown {
  if (typeof text !== 'string')
    throw new UpstreamError({ status: 502, coded: coded('upstream.noText'), kind: 'retry' });
  if (format === 'text') return new FileResponse(Buffer.from(`${text}\n`), 'text/plain; charset=utf-8');
  if (format === 'vtt') return new FileResponse(Buffer.from(textOf(vtt)), 'text/vtt; charset=utf-8');
  return { text };
}
