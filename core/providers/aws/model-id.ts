/** Ids that do not follow from the name (AWS sheet, model ids). */
const irregularIds: ReadonlyMap<string, string> = new Map([
  ['claude-instant-1.2', 'anthropic.claude-instant-v1'],
  ['claude-2.0', 'anthropic.claude-v2'],
  ['claude-2', 'anthropic.claude-v2:1'],
  ['claude-2.1', 'anthropic.claude-v2:1'],
  ['claude-3-5-sonnet-20241022', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-opus-4-6', 'anthropic.claude-opus-4-6-v1'],
]);

/** Names without a date, for models that Bedrock knows by their date. */
const datedNames: ReadonlyMap<string, string> = new Map([
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
  ['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022'],
  ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet-20250219'],
  ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
  ['claude-opus-4-0', 'claude-opus-4-20250514'],
  ['claude-opus-4-1', 'claude-opus-4-1-20250805'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
  ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
  ['claude-opus-4-5', 'claude-opus-4-5-20251101'],
]);

/**
 * What Bedrock calls a model: its own id, with the inference profile that reaches it from a region. Ids and ARNs pass as they
 * are. `profile` is the operator's own choice: `global`, or '' for none.
 */
export function bedrockModelId(model: string, region: string, profile?: string): string {
  const name = datedNames.get(model) ?? model;
  const id = bareModelId(name);
  if (id === name) return id;
  const prefix = profile ?? defaultProfile(name, region);
  return prefix === '' ? id : `${prefix}.${id}`;
}

/**
 * The profiles that may reach a model from a region: the region's own, then the global one, then none (AWS sheet, cross-region
 * prefix). China and GovCloud are never left.
 */
export function bedrockProfiles(model: string, region: string): readonly string[] {
  const name = datedNames.get(model) ?? model;
  if (bareModelId(name) === name) return [''];
  const first = defaultProfile(name, region);
  const isApart = region.startsWith('cn-') || region.startsWith('us-gov-');
  // Older models have no global profile.
  const ways = isApart || generationOf(name) < 4 ? [first, ''] : [first, 'global', ''];
  return [...new Set(ways)];
}

/** The name our clients use for an id from Bedrock's list; ids that we would not build ourselves stay as they are. */
export function clientName(id: string): string {
  for (const [name, irregular] of irregularIds) if (irregular === id) return name;
  const name = id.replace(/^anthropic\./, '').replace(/-v1:0$/, '');
  return bareModelId(name) === id ? name : id;
}

function bareModelId(name: string): string {
  const irregular = irregularIds.get(name);
  if (irregular !== undefined) return irregular;
  if (!name.startsWith('claude-') || name.includes('.') || name.includes(':')) return name;
  // Models up to 4.5 have a date in their name and a version in their id.
  return /-\d{8}$/.test(name) ? `anthropic.${name}-v1:0` : `anthropic.${name}`;
}

/** From 3.5 on most models are reached through a profile only: a bare id gets a 400. */
function defaultProfile(name: string, region: string): string {
  const generation = generationOf(name);
  if (generation < 3.5 || region.startsWith('cn-')) return '';
  if (region.startsWith('us-gov-')) return 'us-gov';
  if (region.startsWith('us-')) return 'us';
  if (region.startsWith('eu-')) return 'eu';
  if (region.startsWith('ap-')) return generation < 4.5 ? 'apac' : newerPacificProfile(name, region);
  return generation < 4 ? '' : 'global';
}

/** Since 4.5 Asia has no profile of its own; Japan and Australia have one for the smaller families. */
function newerPacificProfile(name: string, region: string): string {
  if (!/^claude-(sonnet|haiku)-/.test(name)) return 'global';
  if (/^ap-northeast-[13]$/.test(region)) return 'jp';
  return /^ap-southeast-[24]$/.test(region) ? 'au' : 'global';
}

function generationOf(name: string): number {
  const [, major = '0', minor = '0'] = /^claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?/.exec(name) ?? [];
  return Number(major) + Number(minor) / 10;
}
