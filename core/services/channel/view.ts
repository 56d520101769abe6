import type { ChannelRow } from '../../database/models/channel.ts';
import { parseRecord } from '../../lib/json-value.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Channel } from '../../schemas/channel.ts';
import { type Language, wordsIn } from '../../text/text.ts';
import { isOn, readPool } from './key-pool.ts';
import { problemOf } from './problem.ts';

/** Built field by field, so that neither the key nor its hash slips out. */
export function channelView(row: ChannelRow, secretBox: SecretBox): Channel {
  const pool = readPool(row);
  return {
    id: row.id,
    type: row.type,
    key: '',
    key_mode: pool?.mode ?? '',
    key_count: pool?.keys.length ?? 1,
    key_on_count: pool?.keys.filter(isOn).length ?? 1,
    openai_organization: row.openai_organization || null,
    test_model: row.test_model || null,
    status: row.status,
    name: row.name,
    weight: row.weight,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    base_url: row.base_url,
    other: row.other,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    models: row.models,
    group: row.group,
    used_quota: row.used_quota,
    model_mapping: row.model_mapping,
    status_code_mapping: row.status_code_mapping,
    priority: row.priority,
    auto_ban: row.auto_ban,
    other_info: row.other_info,
    tag: row.tag || null,
    setting: row.setting,
    param_override: row.param_override,
    max_input_tokens: row.max_input_tokens,
    expired_time: row.expired_time,
    stream_options_refused_time: row.stream_options_refused_time,
    problem: problemOf(row, secretBox)?.coded ?? '',
  };
}

/** What our own code says of a channel, in the language of the reader. */
export function channelIn(language: Language, channel: Channel): Channel {
  const { problem, other_info } = channel;
  return { ...channel, problem: wordsIn(language, problem), other_info: infoIn(language, other_info) };
}

/** Why a channel went off by itself, in the language of the reader. */
export function infoIn(language: Language, text: string): string {
  const info = parseRecord(text);
  if (typeof info?.status_reason !== 'string') return text;
  return JSON.stringify({ ...info, status_reason: wordsIn(language, info.status_reason) });
}
