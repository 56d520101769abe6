/** Samples of one frame, of 48,000 a second, by the kind of coding (RFC 6716, 3.1). */
const speech = [480, 960, 1920, 2880];
const mixed = [480, 960];
const music = [120, 240, 480, 960];
const maxSamples = 5760; // 120 ms, the most that a packet may hold

export const opusRate = 48_000;

/** Samples of a packet, which its first two bytes tell; a decoder has nothing else to go by. */
export function opusSamples(head: Buffer): number {
  const [first, second = 0] = head;
  if (first === undefined) return 0;
  const config = first >> 3;
  const frame = config < 12 ? speech[config & 3] : config < 16 ? mixed[config & 1] : music[config & 3];
  const code = first & 3;
  const frames = code === 0 ? 1 : code === 3 ? second & 63 : 2;
  return Math.min((frame ?? 0) * frames, maxSamples);
}
