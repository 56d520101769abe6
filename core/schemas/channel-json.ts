import { z } from 'zod';
import { parseRecord } from '../lib/json-value.ts';
import { coded } from '../text/coded.ts';
import { isRescueLevel, rescueLevels } from './rescue-level.ts';

// For the console's forms, which may import schemas only.
export { parseRecord };

/** Longest JSON text of a channel field. */
const maxCharacters = 65_536;

type Check = (value: Record<string, unknown>) => string | undefined;

/** JSON text of an object, or '' for none; `check` returns what is wrong. */
function jsonText(check: Check) {
  return z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .trim()
      .max(maxCharacters)
      .superRefine((text, context) => {
        if (text === '') return;
        const value = parseRecord(text);
        const wrong = value ? check(value) : coded('channel.notObject');
        if (wrong) context.addIssue(wrong);
      }),
  );
}

/** Requested model to the upstream's name; one step, so a cycle does no harm. */
export const modelMappingSchema = jsonText((value) =>
  Object.entries(value).every(([from, to]) => isName(from) && typeof to === 'string' && isName(to))
    ? undefined
    : coded('channel.modelMapping'),
);

/** Upstream status to the status we act on. Success is never mapped: an error would pass for a response. */
export const statusCodeMappingSchema = jsonText((value) =>
  Object.entries(value).every(([from, to]) => isErrorStatus(from) && isErrorStatus(String(to)))
    ? undefined
    : coded('channel.statusMapping'),
);

const maxCostRatio = 1000;

const isCostRatio = (value: unknown) =>
  value === undefined || (typeof value === 'number' && value >= 0 && value <= maxCostRatio);

/** Settings we know are typed; others are kept for later versions and other programs. */
export const channelSettingSchema = jsonText((value) => {
  const flag = ['force_format', 'thinking_to_content', 'stream_options', 'native'].find(
    (name) => Object.hasOwn(value, name) && typeof value[name] !== 'boolean',
  );
  if (flag) return coded('channel.flag', { name: flag });
  const { proxy, inference_profile: profile = '', anthropic_betas: betas = [], user_agent: agent = '' } = value;
  const { stream_rescue: rescue } = value;
  if (rescue !== undefined && !isRescueLevel(rescue))
    return coded('channel.streamRescue', { words: rescueLevels.join(', ') });
  if (!isCostRatio(value.cost_ratio)) return coded('channel.costRatio', { max: maxCostRatio });
  if (typeof agent !== 'string' || !/^[\x20-\x7e]{0,256}$/.test(agent)) return coded('channel.userAgent');
  if (typeof profile !== 'string' || !/^[a-z-]{0,20}$/.test(profile)) return coded('channel.inferenceProfile');
  if (!Array.isArray(betas) || betas.some((name) => typeof name !== 'string')) return coded('channel.betas');
  const { options = {}, keep_alive: keepAlive = '' } = value;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return coded('channel.options');
  if (typeof keepAlive !== 'string' && typeof keepAlive !== 'number') return coded('channel.keepAlive');
  if (proxy === undefined || proxy === '') return undefined;
  if (typeof proxy !== 'string' || !isProxyAddress(proxy)) return coded('channel.proxy');
  // Settings are stored and shown as they are.
  return hasCredentials(proxy) ? coded('channel.proxyPassword') : undefined;
});

/** What is billed is what is sent: these fields are never overridden. Without case and underscores, as `isBilledField` compares. */
const billedFields = new Set([
  'model',
  'stream',
  'streamoptions',
  'n',
  'bestof',
  'size',
  'quality',
  'servicetier',
  'group',
  'maxtokens',
  'maxcompletiontokens',
  'maxoutputtokens',
  'generationconfig',
  'candidatecount',
  'proto',
  'constructor',
  'prototype',
]);

/** Some upstreams read a field whatever its case, and Google's in two spellings: each of them is the field. */
export function isBilledField(name: string): boolean {
  return billedFields.has(name.normalize('NFKC').toUpperCase().toLowerCase().replace(/[_-]/g, ''));
}

export const paramOverrideSchema = jsonText((value) => {
  const billed = Object.keys(value).find(isBilledField);
  return billed ? coded('channel.fixedField', { name: billed }) : undefined;
});

const isName = (name: string) => name !== '' && name.length <= 255 && !/\p{C}/u.test(name);

function isErrorStatus(text: string): boolean {
  return /^[1-5]\d\d$/.test(text) && !text.startsWith('2');
}

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:', 'socks5:'].includes(new URL(text).protocol);
}
