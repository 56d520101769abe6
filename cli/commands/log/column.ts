import type { Log } from '../../../core/schemas/log.ts';
import { logsIn } from '../../../core/services/log/text.ts';
import { typeWords } from '../../flag/log-filter.ts';
import { formatTime } from '../../flag/value.ts';
import type { Column, Output } from '../../output.ts';
import { failureOf } from '../../print/receipt.ts';

/** Programs get the rows in English, people in their language. */
export function readable<T extends Log>({ json, language }: Output, logs: T[]): T[] {
  return logsIn(json ? 'en' : language, logs);
}

export function columnsFor(format: (quota: number) => string): Column<Log>[] {
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TIME', whole: true, value: ({ created_at }) => formatTime(created_at) },
    { title: 'TYPE', whole: true, value: ({ type }) => typeWords.get(type) ?? type },
    { title: 'USER', value: ({ username }) => username, keep: true },
    { title: 'TOKEN', extra: true, value: ({ token_name }) => token_name },
    { title: 'MODEL', value: ({ model_name }) => model_name },
    { title: 'CHANNEL', value: ({ channel }) => channel || '', right: true },
    { title: 'IN', value: ({ prompt_tokens }) => prompt_tokens, right: true },
    { title: 'OUT', value: ({ completion_tokens }) => completion_tokens, right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'SECONDS', extra: true, value: ({ use_time }) => use_time, right: true },
    { title: 'REQUEST', whole: true, extra: true, value: ({ request_id }) => request_id },
    { title: 'CONTENT', extra: true, value: ({ content }) => content },
  ];
}

/** Of failed calls: what the client was told, in place of tokens and cost. */
export const failureColumns: Column<Log>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'TIME', whole: true, value: ({ created_at }) => formatTime(created_at) },
  { title: 'STATUS', value: (log) => failureOf(log)?.status ?? '', right: true },
  { title: 'USER', value: ({ username }) => username, keep: true },
  { title: 'TOKEN', extra: true, value: ({ token_name }) => token_name },
  { title: 'MODEL', value: ({ model_name }) => model_name },
  { title: 'CHANNEL', value: ({ channel }) => channel || '', right: true },
  { title: 'REQUEST', whole: true, extra: true, value: ({ request_id }) => request_id },
  { title: 'CONTENT', value: ({ content }) => content },
];
