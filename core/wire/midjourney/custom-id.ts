/** What a button of a picture does, by its custom id (Midjourney sheet 2); undefined for one that is not known. */
export function actionOfButton(customId: string): string | undefined {
  const parts = customId.split('::');
  const name = parts[1] === 'JOB' ? parts[2] : parts[1];
  if (!name) return undefined;
  if (name.includes('upsample')) return hasIndex(parts) ? 'UPSCALE' : undefined;
  if (name === 'variation') return hasIndex(parts) ? 'VARIATION' : undefined;
  return exact.get(name) ?? Object.entries(partial).find(([part]) => name.includes(part))?.[1];
}

/** A map, because a client may name what every object has. */
const exact: ReadonlyMap<string, string> = new Map([
  ['low_variation', 'LOW_VARIATION'],
  ['high_variation', 'HIGH_VARIATION'],
  ['Outpaint', 'ZOOM'],
  ['CustomZoom', 'CUSTOM_ZOOM'],
  ['Inpaint', 'INPAINT'],
]);
const partial: Readonly<Record<string, string>> = { pan: 'PAN', reroll: 'REROLL' };

/** Which of the four pictures. */
function hasIndex(parts: readonly string[]): boolean {
  return /^\d$/.test(parts[3] ?? '');
}
