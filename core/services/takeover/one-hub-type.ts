import type { ChannelKind } from './channel-type.ts';
import { textOf, wholeOf } from './field.ts';
import type { SourceRow } from './source-reader.ts';

/** one-hub's number to ours; with an address, the vendor speaks OpenAI's protocol there. */
const types = new Map<number, number | string>([
  ...[1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23].map((same): [number, number] => [
    same,
    same,
  ]),
  [2, 'https://oa.api2d.net'],
  [4, 'https://api.closeai-proxy.xyz'],
  [5, 'https://api.openai-sb.com'],
  [16, 26],
  [25, 24],
  [26, 'https://api.baichuan-ai.com'],
  [27, 35],
  [28, 43],
  [29, 25],
  [30, 42],
  [31, 'https://api.groq.com/openai'],
  [32, 33],
  [33, 31],
  [34, 2],
  [35, 39],
  [36, 34],
  [39, 4],
  [41, 36],
  [42, 41],
  [45, 40],
  [47, 38],
  [56, 48],
  [61, 41],
]);

/** What a one-hub channel is here; undefined for a vendor that is not offered. */
export function kindFromOneHub(row: SourceRow): ChannelKind | undefined {
  const type = types.get(wholeOf(row, 'type'));
  if (type === undefined) return undefined;
  const kind = { base_url: textOf(row, 'base_url'), other: textOf(row, 'other'), key: textOf(row, 'key') };
  if (typeof type === 'string') return { ...kind, type: 1, base_url: kind.base_url || type };
  const parts = kind.key.split('|').map((part) => part.trim());
  // The region stands in front there, and the account of Cloudflare.
  if (type === 33) return { ...kind, type, key: [parts[1] ?? '', parts[2] ?? '', parts[0]].join('|') };
  if (type === 39 && parts.length > 1) return { ...kind, type, other: parts[0] ?? '', key: parts[1] ?? '' };
  if (type === 41) return { ...kind, type, other: kind.other.split('|')[0] ?? '' };
  return { ...kind, type };
}

/** The address of a proxy has a column of its own there. */
export function settingFromOneHub(row: SourceRow): string {
  const proxy = textOf(row, 'proxy');
  return proxy === '' ? '' : JSON.stringify({ proxy });
}

/** What a channel has there that no channel has here. */
export function lostFromOneHub(row: SourceRow): string[] {
  const isSaid = (name: string) => !/^(|null|\{\s*\}|0|false)$/.test(textOf(row, name));
  return ['model_headers', 'custom_parameter', 'plugin', 'only_chat'].filter(isSaid);
}
