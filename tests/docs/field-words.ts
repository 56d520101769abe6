import type { OpenAPIV3_1 } from 'openapi-types';
import type { Language } from '../../core/text/text.ts';
import type { LocalText } from '../support/local-text.ts';
import { code } from './markdown.ts';

export type Schema = OpenAPIV3_1.SchemaObject & { const?: unknown };

const typeNames: Record<string, LocalText> = {
  string: { en: 'text', zh: '文本' },
  integer: { en: 'integer', zh: '整数' },
  number: { en: 'number', zh: '数字' },
  boolean: { en: 'true or false', zh: 'true 或 false' },
  array: { en: 'list', zh: '列表' },
  object: { en: 'object', zh: '对象' },
  null: { en: 'null', zh: 'null' },
};

const words = {
  any: { en: 'any', zh: '任意' },
  or: { en: ' or ', zh: ' 或 ' },
  of: { en: 'list of ', zh: '列表：' },
  chars: { en: 'characters', zh: '个字符' },
  entries: { en: 'entries', zh: '项' },
  to: { en: ' to ', zh: ' 到 ' },
  from: { en: 'at least ', zh: '至少 ' },
  max: { en: 'at most ', zh: '不超过 ' },
  notEmpty: { en: 'not empty', zh: '不能为空' },
  above: { en: 'more than ', zh: '大于 ' },
  oneOf: { en: 'one of ', zh: '可选值：' },
  default: { en: 'default ', zh: '默认 ' },
  comma: { en: ', ', zh: '、' },
  semicolon: { en: '; ', zh: '；' },
} satisfies Record<string, LocalText>;

/** Chinese words stand next to each other; only Latin ones are set apart. */
const betweenHan = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu;

/** A type as a reader names it: `list of text`, `integer or null`. */
export function typeText(schema: Schema, language: Language): string {
  const choices = schema.anyOf as Schema[] | undefined;
  if (choices)
    return [...new Set(choices.map((one) => typeText(one, language)))].join(words.or[language]).replace(betweenHan, '');
  if (schema.const !== undefined) return typeNames[typeof schema.const]?.[language] ?? words.any[language];
  const names = [schema.type ?? []].flat() as string[];
  if (names.length === 0)
    return schema.enum || '$ref' in schema ? (typeNames.string as LocalText)[language] : words.any[language];
  const items = 'items' in schema && (schema.items as Schema | undefined);
  const nameOf = (name: string) =>
    name === 'array' && items ? words.of[language] + typeText(items, language) : (typeNames[name]?.[language] ?? name);
  return names.map(nameOf).join(words.or[language]).replace(betweenHan, '');
}

/** What a value has to keep to: `1 to 64 characters; default 0`. */
export function limitText(schema: Schema, language: Language): string {
  const texts = [
    choiceText(schema, language),
    rangeText(schema.minimum, schema.maximum, '', language),
    schema.exclusiveMinimum !== undefined ? `${words.above[language]}${schema.exclusiveMinimum}` : '',
    rangeText(schema.minLength, schema.maxLength, words.chars[language], language),
    rangeText(schema.minItems, schema.maxItems, words.entries[language], language),
    schema.default !== undefined ? words.default[language] + code(JSON.stringify(schema.default)) : '',
  ];
  return texts.filter(Boolean).join(words.semicolon[language]);
}

function choiceText({ enum: values, anyOf }: Schema, language: Language): string {
  const constants = (anyOf as Schema[] | undefined)?.map((one) => one.const);
  const choices = values ?? (constants?.every((one) => one !== undefined) ? constants : undefined);
  return choices ? words.oneOf[language] + choices.map((one) => code(String(one))).join(words.comma[language]) : '';
}

function rangeText(min: unknown, max: unknown, unit: string, language: Language): string {
  // What a number can hold at all is no limit of ours.
  const isLimit = (bound: unknown): bound is number =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const withUnit = (text: string) => (unit ? `${text} ${unit}` : text);
  if (isLimit(min) && isLimit(max)) return withUnit(`${min}${words.to[language]}${max}`);
  if (unit && min === 1) return words.notEmpty[language];
  if (isLimit(min)) return withUnit(words.from[language] + min);
  return isLimit(max) ? withUnit(words.max[language] + max) : '';
}

/** A value of the shape, to show where each field stands. */
export function sampleOf(schema: Schema, isRequiredOnly = false): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [first] = ((schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined) ?? [];
  if (first) return sampleOf(first, isRequiredOnly);
  const [type] = [schema.type ?? []].flat() as string[];
  if (type === 'object') {
    const shown = Object.entries(schema.properties ?? {}).filter(
      ([name]) => !isRequiredOnly || schema.required?.includes(name),
    );
    return Object.fromEntries(shown.map(([name, field]) => [name, sampleOf(field as Schema, isRequiredOnly)]));
  }
  if (type === 'array') return 'items' in schema ? [sampleOf(schema.items as Schema, isRequiredOnly)] : [];
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'integer' || type === 'number'
    ? Math.max(1, schema.minimum === undefined ? 1 : Number(schema.minimum))
    : 'text';
}
