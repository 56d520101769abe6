import { isJsonObject } from '../lib/json-value.ts';
import { coded } from '../text/coded.ts';
import { type Channel, type ChannelCreate, channelCreateSchema } from './channel.ts';
import { channelStatus } from './channel-status.ts';
import { channelTypeOf } from './channel-type.ts';

/** The form of the file that `channel export` writes. */
const version = 1;

/** One thing wrong with a file, and where. */
export interface DocumentProblem {
  /** `channels[2]`, or '' for the file as a whole. */
  place: string;
  field: string;
  reason: string;
}

/** What a file says of one channel. */
export interface ChannelEntry {
  place: string;
  /** As a new channel would have it; the key is blank when the file has none. */
  values: ChannelCreate;
  status: 1 | 2;
  /** Fields the file names: of a channel that is there already, only these are compared and changed. */
  given: (keyof ChannelCreate | 'status')[];
}

/** Fields in the order of the file. */
const fields = [
  ...(['name', 'type', 'status', 'base_url', 'models', 'group', 'tag', 'priority', 'weight', 'auto_ban'] as const),
  ...(['model_mapping', 'status_code_mapping', 'setting', 'param_override', 'test_model', 'other'] as const),
  ...(['openai_organization', 'max_input_tokens', 'expired_time', 'key_mode'] as const),
];

const objectFields = ['model_mapping', 'status_code_mapping', 'setting', 'param_override'];
/** Fields of a channel that are read-only: a file may be made from `channel get --json`. */
const measured = [
  'id',
  'created_time',
  'test_time',
  'response_time',
  'balance',
  'balance_updated_time',
  'used_quota',
  'other_info',
  'stream_options_refused_time',
  'problem',
  'key_count',
  'key_on_count',
];
const known = new Set<string>([...fields, ...measured, 'key', 'groups']);

const statusWords: Record<string, 1 | 2> = { enabled: 1, disabled: 2 };

export function channelDocument(channels: readonly (Channel & { plainKey?: string })[]): object {
  return { version, channels: channels.map(entryOf) };
}

function entryOf(channel: Channel & { plainKey?: string }): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    ...channel,
    type: channelTypeOf(channel.type)?.name ?? channel.type,
    // A channel that went off by itself is meant to be on.
    status: channel.status === channelStatus.disabled ? 'disabled' : 'enabled',
  };
  // What is empty is written too: the file says the whole of a channel.
  const entries = fields.map((name) => [name, shown[name] ?? '']);
  const key = channel.plainKey === undefined ? {} : { key: channel.plainKey };
  return { ...Object.fromEntries(entries), ...key };
}

/** Reads a whole file, or a list of channels, or one of them; every problem is reported, not only the first. */
export function readChannelDocument(value: unknown): { entries: ChannelEntry[]; problems: DocumentProblem[] } {
  const problems: DocumentProblem[] = [];
  const list = listOf(value, problems);
  const entries = list.flatMap((item, index) => readEntry(item, `channels[${index}]`, problems) ?? []);
  return { entries, problems };
}

function listOf(value: unknown, problems: DocumentProblem[]): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) {
    problems.push({ place: '', field: '', reason: coded('input.channelDocument') });
    return [];
  }
  if (!Object.hasOwn(value, 'channels')) return [value];
  if (value.version !== undefined && value.version !== version)
    problems.push({ place: '', field: 'version', reason: coded('input.version', { version }) });
  if (Array.isArray(value.channels)) return value.channels;
  problems.push({ place: '', field: 'channels', reason: coded('input.channelList') });
  return [];
}

function readEntry(item: unknown, place: string, problems: DocumentProblem[]): ChannelEntry | undefined {
  if (!isJsonObject(item)) {
    problems.push({ place, field: '', reason: coded('channel.notObject') });
    return undefined;
  }
  const before = problems.length;
  for (const field of Object.keys(item))
    if (!known.has(field)) problems.push({ place, field, reason: coded('input.noSuchField') });
  const status = readStatus(item.status);
  if (status === undefined) problems.push({ place, field: 'status', reason: coded('input.onOrOff') });
  const { success, data, error } = channelCreateSchema.safeParse({ ...flat(item), key: item.key || 'none' });
  for (const { path, message } of error?.issues ?? []) problems.push({ place, field: path.join('.'), reason: message });
  if (!success || status === undefined || problems.length > before) return undefined;
  const values = { ...data, key: item.key ? data.key : '' };
  const given = Object.keys(item).map((field) => (field === 'groups' ? 'group' : field));
  return { place, values, status, given: [...fields].filter((field) => given.includes(field)) };
}

/** People write lists and objects where the channel holds text. */
function flat(item: Record<string, unknown>): Record<string, unknown> {
  const text = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      objectFields.includes(name) && isJsonObject(value) ? JSON.stringify(value) : value,
    ]),
  );
  for (const name of ['models', 'group']) if (Array.isArray(text[name])) text[name] = text[name].join(',');
  return text;
}

function readStatus(value: unknown): 1 | 2 | undefined {
  if (value === undefined) return channelStatus.enabled;
  if (typeof value === 'string') return Object.hasOwn(statusWords, value) ? statusWords[value] : undefined;
  if (value === channelStatus.enabled || value === channelStatus.autoDisabled) return channelStatus.enabled;
  return value === channelStatus.disabled ? channelStatus.disabled : undefined;
}
