/** Everything behind the head of the data chunk counts as sound: its own length is often 0 or wrong. */
export function wavSeconds(head: Buffer, size: number): number | undefined {
  let bytesPerSecond: number | undefined;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    if (name === 'data') return bytesPerSecond && (size - at - 8) / bytesPerSecond;
    if (name === 'fmt ' && at + 24 <= head.length) bytesPerSecond = wavBytesPerSecond(head.subarray(at + 8));
    const length = head.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** From the sample format; a rate no recorder uses is taken for a trick to look short. */
function wavBytesPerSecond(format: Buffer): number | undefined {
  const channels = format.readUInt16LE(2);
  const samplesPerSecond = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  const isCommon =
    channels >= 1 &&
    channels <= 8 &&
    samplesPerSecond >= 4000 &&
    samplesPerSecond <= 192_000 &&
    bits >= 4 &&
    bits <= 64;
  return isCommon ? (channels * samplesPerSecond * bits) / 8 : undefined;
}
