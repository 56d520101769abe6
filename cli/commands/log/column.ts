import type { App } from '../../../core/app.ts';
import { formatQuota } from '../../../core/billing/quota.ts';
import type { Log } from '../../../core/schemas/log.ts';
import { logType, signOf } from '../../../core/schemas/log-type.ts';
import { logsIn } from '../../../core/services/log/text.ts';
import { typeWords } from '../../flag/log-filter.ts';
import { formatTime } from '../../flag/value.ts';
import type { Column, Output } from '../../output.ts';
import { durationOf, endingOf, endingText } from '../../print/log-record.ts';
import { quotaFormat } from '../../print/quota-format.ts';

/** Programs get the rows in English and in quota units, people in their language and their currency. */
export function readable<T extends Log>(
  { json, language }: Output,
  { options }: Pick<App['services'], 'options'>,
  logs: T[],
): T[] {
  if (json) return logsIn('en', logs);
  return logsIn(language, logs, (quota) => formatQuota(quota, quotaFormat(options)));
}

const id: Column<Log> = { title: 'ID', value: ({ id }) => id, right: true };
const time: Column<Log> = { title: 'TIME', whole: true, value: ({ created_at }) => formatTime(created_at) };
const user: Column<Log> = { title: 'USER', value: ({ username }) => username, keep: true };
const token: Column<Log> = { title: 'TOKEN', extra: true, value: ({ token_name }) => token_name };
const model: Column<Log> = { title: 'MODEL', value: ({ model_name }) => model_name };
const channel: Column<Log> = {
  title: 'CHANNEL',
  value: (log) => log.channel_name || (log.channel && `#${log.channel}`) || '',
};
const ms: Column<Log> = { title: 'MS', value: (log) => durationOf(log) ?? '', right: true };
const request: Column<Log> = { title: 'REQUEST', whole: true, extra: true, value: ({ request_id }) => request_id };

const endingColors = { ok: 'green', cut: 'yellow', refused: 'yellow', failed: 'red' } as const;

/** Of a request how it ended; of any other row what kind it is. */
const status: Column<Log> = {
  title: 'STATUS',
  whole: true,
  value: (log) => {
    const ending = endingOf(log);
    return ending ? endingText(ending) : (typeWords.get(log.type) ?? log.type);
  },
  color: (log) => {
    const ending = endingOf(log);
    return ending ? endingColors[ending.group] : 'dim';
  },
};

/** On 100 columns everything up to the cost is there. */
export function columnsFor(format: (quota: number) => string): Column<Log>[] {
  const isCharge = ({ type, quota }: Log) => quota !== 0 || type === logType.consume;
  return [
    ...[id, time, status, user, model, channel, ms],
    { title: 'COST', value: (log) => (isCharge(log) ? signOf(log) + format(log.quota) : ''), right: true },
    { title: 'IN', extra: true, value: ({ prompt_tokens }) => prompt_tokens, right: true },
    { title: 'OUT', extra: true, value: ({ completion_tokens }) => completion_tokens, right: true },
    token,
    request,
    { title: 'CONTENT', extra: true, value: ({ content }) => content },
  ];
}

/** Of failed calls: what the client was told, in place of tokens and cost. */
export const failureColumns: Column<Log>[] = [
  ...[id, time, status, user, token, model, channel, { ...ms, extra: true }, request],
  { title: 'CONTENT', value: ({ content }) => content },
];
