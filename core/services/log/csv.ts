import type { Log } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';

const typeNames = new Map<number, string>([
  [logType.topUp, 'top-up'],
  [logType.consume, 'consumption'],
  [logType.manage, 'management'],
  [logType.system, 'system'],
  [logType.error, 'error'],
  [logType.test, 'channel test'],
]);

type Column = [title: string, value: (log: Log) => string | number | boolean];

const columns: Column[] = [
  ['id', ({ id }) => id],
  ['time', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['type', ({ type }) => typeNames.get(type) ?? type],
  ['username', ({ username }) => username],
  ['token_name', ({ token_name }) => token_name],
  ['model_name', ({ model_name }) => model_name],
  ['group', ({ group }) => group],
  ['channel', ({ channel }) => channel],
  ['channel_name', ({ channel_name }) => channel_name],
  ['prompt_tokens', ({ prompt_tokens }) => prompt_tokens],
  ['completion_tokens', ({ completion_tokens }) => completion_tokens],
  ['quota', ({ quota }) => quota],
  ['use_time', ({ use_time }) => use_time],
  ['is_stream', ({ is_stream }) => is_stream],
  ['request_id', ({ request_id }) => request_id ?? ''],
  ['content', ({ content }) => content],
];

/** The byte order mark tells spreadsheets that the file is UTF-8. */
export const csvHead = `\uFEFF${columns.map(([title]) => title).join(',')}\r\n`;

export function csvLines(logs: Log[]): string {
  return logs.map((log) => `${columns.map(([, value]) => cell(value(log))).join(',')}\r\n`).join('');
}

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe; it may be a name that a user chose. Spreadsheets in Chinese and
 * Japanese read the wide signs, too.
 */
function cell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
