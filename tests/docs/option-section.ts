import { type OptionCard, optionTabKeys, optionTabs } from '../../core/schemas/option/card.ts';
import { definitionOf, type OptionKey, optionKeys, optionsOfCard, priceOptionKeys } from '../../core/schemas/option.ts';
import { optionText, optionTexts } from '../../core/text/option.ts';
import type { Language } from '../../core/text/text.ts';
import { code, markdownTable } from './markdown.ts';

const words = {
  en: {
    head: ['Setting', 'Key', 'Type', 'Default', 'Meaning'],
    kind: { boolean: 'on or off', number: 'number', text: 'text', lines: 'lines', list: 'list', json: 'JSON' },
    auto: '`auto` or number',
    secret: 'secret',
    page: 'page',
    range: (min: number, max: number) => `from ${min} to ${max}`,
    between: ', ',
    builtin: 'built-in prices',
    idle: '## Kept for older consoles\n\nThese settings have no effect:',
  },
  zh: {
    head: ['设置', '键', '类型', '默认值', '含义'],
    kind: { boolean: '开关', number: '数字', text: '文本', lines: '多行文本', list: '列表', json: 'JSON' },
    auto: '`auto` 或数字',
    secret: '密钥',
    page: '页面',
    range: (min: number, max: number) => `${min} 到 ${max}`,
    between: '，',
    builtin: '内置价格',
    idle: '## 为旧控制台保留\n\n以下设置没有作用：',
  },
};

/** A heading for each tab and card of the settings page, with a row for each setting. */
export function optionTables(language: Language): string {
  const { tab: tabs } = optionTexts[language];
  const seen = new Set<OptionCard>();
  // A card that is on two tabs is listed on its own tab, which is the later one.
  const own = optionTabKeys.toReversed().map((tab) => ({
    tab,
    cards: optionTabs[tab].filter((card) => !seen.has(card) && seen.add(card)),
  }));
  const parts = own
    .toReversed()
    .flatMap(({ tab, cards }) => [`## ${tabs[tab]}`, ...cards.map((card) => cardTable(language, card))]);
  const idle = optionKeys.filter((key) => definitionOf(key).withoutEffect).map(code);
  return [...parts, `${words[language].idle} ${idle.join(words[language].between)}`].join('\n\n');
}

function cardTable(language: Language, card: OptionCard): string {
  const { title, purpose } = optionTexts[language].card[card];
  const rows = optionsOfCard(card).map((key) => {
    const { label, hint } = optionText(language, key);
    return [label, code(key), typeOf(language, key), defaultOf(language, key), hint.replaceAll('*', '\\*')];
  });
  const said = purpose.replace('{{address}}', 'https://gateway.example.com');
  return `### ${title}\n\n${said}\n\n${markdownTable(words[language].head, rows)}`;
}

function typeOf(language: Language, key: OptionKey): string {
  const { kind, secret, choices, isPage, isAuto, range, unit } = definitionOf(key);
  const { between, ...say } = words[language];
  if (secret) return say.secret;
  if (isPage) return say.page;
  if (choices) return choices.map(code).join(between);
  const isBounded = range && range.max < Number.MAX_SAFE_INTEGER;
  return [
    isAuto ? say.auto : say.kind[kind],
    isBounded && say.range(range.min, range.max),
    unit && optionTexts[language].unit[unit],
  ]
    .filter(Boolean)
    .join(between);
}

function defaultOf(language: Language, key: OptionKey): string {
  if (priceOptionKeys.some((one) => one === key)) return words[language].builtin;
  const { kind, secret, write, default: fallback } = definitionOf(key);
  if (secret) return '';
  const text = write(fallback);
  return kind === 'lines' ? text.split('\n').map(code).join(words[language].between) : code(text);
}
