import { z } from 'zod';
import { detailZh } from './detail-text.ts';

const chinese = z.locales.zhCN().localeError;

/** For `safeParse`: zod's own sentences in Chinese; those of the schemas are translated by `issueZh`. */
export const issuesInChinese = { error: chinese };

/** Names of types stand in zod's Chinese as they are written in code. */
const types: Record<string, string> = {
  string: '文本',
  boolean: '布尔值',
  object: '对象',
  record: '对象',
  undefined: '空',
  int: '整数',
  date: '日期',
  NaN: '非数字',
  null: '空',
  number: '数字',
  array: '数组',
  nan: '非数字',
};

/** One message of a schema, as a Chinese sentence; names and values in it stay. */
export function messageZh(message: string): string {
  const translated = detailZh(message);
  if (translated !== message || !/^[一-鿿]/.test(message)) return translated;
  return message.replace(/(期望|接收)\s?(\w+)/g, (whole, verb: string, type: string) =>
    Object.hasOwn(types, type) ? `${verb}${types[type]}` : whole,
  );
}

interface PlainIssue {
  code: string;
  message: string;
}

/** The values zod names by their kind alone, made again: what was parsed is not in the error any more. */
const kinds: Record<string, unknown> = {
  NaN: Number.NaN,
  undefined: undefined,
  null: null,
  string: '',
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

/** A message that was written in English already, by whoever parsed without knowing who would read it. */
export function issueZh(issue: PlainIssue): string {
  if (issue.code === 'custom') return messageZh(issue.message);
  const kind = /received (\w+)$/.exec(issue.message)?.[1] ?? '';
  const raw = { ...issue, input: kinds[kind] } as Parameters<typeof chinese>[0];
  const english = z.locales.en().localeError(raw);
  const own = (typeof english === 'string' ? english : english?.message) === issue.message;
  if (!own) return messageZh(issue.message);
  const found = chinese(raw);
  return messageZh((typeof found === 'string' ? found : found?.message) ?? issue.message);
}
