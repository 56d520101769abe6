/** How sound is written in the events of one direction. */
export interface AudioFormat {
  bytesPerSecond: number;
}

/** 16 bits, 24,000 times a second: what both ends speak unless the session says otherwise. */
export const pcm16: AudioFormat = { bytesPerSecond: 48_000 };
/** 8 bits, 8,000 times a second. */
const g711: AudioFormat = { bytesPerSecond: 8000 };

/** A token stands for 100 ms of what is heard and for 50 ms of what is spoken (OpenAI's guide to realtime costs). */
export const inputTokensPerSecond = 10;
export const outputTokensPerSecond = 20;

/** The name of the beta (`g711_ulaw`) or the object that took its place (`{type: 'audio/pcmu'}`); undefined when it is neither. */
export function readAudioFormat(format: unknown): AudioFormat | undefined {
  const name = typeof format === 'object' && format !== null && 'type' in format ? format.type : format;
  if (typeof name !== 'string') return undefined;
  if (name === 'pcm16' || name === 'audio/pcm') return pcm16;
  return /^(g711_[ua]law|audio\/pcm[ua])$/.test(name) ? g711 : undefined;
}

/** Of sound that is in an event as base64 text. */
export function secondsOfBase64(length: number, { bytesPerSecond }: AudioFormat): number {
  return (length * 0.75) / bytesPerSecond;
}
