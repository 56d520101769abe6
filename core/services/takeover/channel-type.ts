import { objectOf, textOf, wholeOf } from './field.ts';
import type { SourceRow } from './source-reader.ts';

export interface ChannelKind {
  type: number;
  base_url: string;
  other: string;
  key: string;
}

/** Up to 25 the numbers are the same, but for these three, which are OpenAI's protocol in one-api. */
const openAiProtocol = new Map([
  [2, 'https://oa.api2d.net'],
  [4, 'https://api.closeai-proxy.xyz'],
  [5, 'https://api.openai-sb.com'],
]);

/** one-api's number to ours, where they differ; with an address, the vendor speaks OpenAI's protocol there. */
const fromOneApi = new Map<number, number | string>([
  [26, 'https://api.baichuan-ai.com'],
  [27, 35],
  [28, 42],
  [29, 'https://api.groq.com/openai'],
  [30, 4],
  [31, 31],
  [32, 'https://api.stepfun.com'],
  [33, 33],
  [35, 34],
  [36, 43],
  [37, 39],
  [39, 'https://api.together.xyz'],
  [40, 45],
  [41, 'https://api.novita.ai/v3/openai'],
  [42, 41],
  [44, 40],
  [45, 48],
  [47, 46],
  [48, 'https://spark-api-open.xf-yun.com'],
  [49, 'https://dashscope.aliyuncs.com/compatible-mode'],
  [50, 1],
  [51, 24],
]);

/** What a one-api channel is here; undefined for a vendor that is not offered. */
export function kindFromOneApi(row: SourceRow): ChannelKind | undefined {
  const number = wholeOf(row, 'type');
  const config = objectOf(textOf(row, 'config'));
  const given = { base_url: textOf(row, 'base_url'), other: textOf(row, 'other'), key: textOf(row, 'key') };
  const setting = (name: string) => (typeof config[name] === 'string' ? config[name] : '');
  const proxy = openAiProtocol.get(number);
  if (proxy !== undefined) return { ...given, type: 1, base_url: given.base_url || proxy };
  if (number <= 25) return { ...given, type: number, other: given.other || setting('api_version') };
  const known = fromOneApi.get(number);
  if (known === undefined) return undefined;
  if (typeof known === 'string') return { ...given, type: 1, base_url: given.base_url || known };
  if (known === 33 && setting('ak') !== '') {
    return { ...given, type: 33, key: [setting('ak'), setting('sk'), setting('region')].join('|') };
  }
  if (known === 41) {
    return { ...given, type: 41, key: setting('vertex_ai_adc') || given.key, other: given.other || setting('region') };
  }
  if (known === 39) return { ...given, type: 39, other: given.other || setting('user_id') };
  return { ...given, type: known, other: given.other || setting('region') || setting('api_version') };
}
