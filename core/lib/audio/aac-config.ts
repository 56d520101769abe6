const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
/** Main, LC, SSR, LTP, with SBR, with SBR and PS: each frame is 1024 or 960 samples of the core's rate. */
const frameKinds = new Set([1, 2, 3, 4, 5, 29]);

/** Seconds of each frame, from the configuration a decoder is set up with (ISO/IEC 14496-3, 1.6.2.1). */
export function aacFrameSeconds(config: Buffer): number | undefined {
  if (config.length < 2) return undefined;
  const bits = config.readUInt16BE(0);
  const kind = bits >> 11;
  const rate = rates[(bits >> 7) & 15];
  if (!frameKinds.has(kind) || rate === undefined) return undefined;
  // With SBR the flag stands further behind; there it is never set in practice.
  const isShort = kind <= 4 && (bits & 4) !== 0;
  return (isShort ? 960 : 1024) / rate;
}
