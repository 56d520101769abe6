import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { isJsonObject } from '../../lib/json-value.ts';

/** Counts beyond this are not believed (M7): what was delivered is counted instead. */
const maxCount = 10_000_000;

/**
 * Usage of one `response.done`. Audio and picture counts of the input hold their cached part, which has a price of its own: it is
 * taken out of them, so that no token is paid twice. Undefined when it is absent or not sane.
 */
export function readResponseUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = count(usage.input_tokens);
  const completion = count(usage.output_tokens);
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined;
  const input = record(usage.input_token_details);
  const output = record(usage.output_token_details);
  const cachedRead = Math.min(count(input.cached_tokens) ?? 0, prompt);
  const audio = count(input.audio_tokens) ?? 0;
  const image = count(input.image_tokens) ?? 0;
  const text = count(input.text_tokens) ?? Math.max(prompt - audio - image, 0);
  const cached = record(input.cached_tokens_details);
  // Without details the cached part is taken to begin with the text: instructions stand first.
  const cachedAudio = count(cached.audio_tokens) ?? Math.min(Math.max(cachedRead - text, 0), audio);
  const cachedImage = count(cached.image_tokens) ?? 0;
  const audioInput = within(audio - cachedAudio, prompt - cachedRead);
  const imageInput = within(image - cachedImage, prompt - cachedRead - audioInput);
  const audioOutput = Math.min(count(output.audio_tokens) ?? 0, completion);
  const result: Usage = { ...emptyUsage, prompt, completion, cachedRead, audioInput, audioOutput };
  if (imageInput > 0) result.imageInput = imageInput;
  return result;
}

/** What writing down the caller's speech took: tokens, or the length of the speech, as the model is sold. */
export type TranscriptionUsage = { kind: 'tokens'; usage: Usage } | { kind: 'seconds'; seconds: number };

export function readTranscriptionUsage(usage: unknown): TranscriptionUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  if (usage.type === 'duration') {
    const { seconds } = usage;
    // A full day of speech in one piece is not plausible.
    const isSane = typeof seconds === 'number' && seconds >= 0 && seconds <= 86_400;
    return isSane ? { kind: 'seconds', seconds } : undefined;
  }
  const read = readResponseUsage(usage);
  return read && { kind: 'tokens', usage: read };
}

function within(value: number, limit: number): number {
  return Math.max(0, Math.min(value, limit));
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCount
    ? value + 0
    : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}
