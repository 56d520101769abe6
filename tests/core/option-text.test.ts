import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionCards, optionTabKeys } from '../../core/schemas/option/card.ts';
import { definitionOf, isOptionKey, optionKeys, optionsOfCard } from '../../core/schemas/option.ts';
import { optionText, optionTexts } from '../../core/text/option.ts';

const root = join(import.meta.dirname, '../..');
const languages = ['en', 'zh'] as const;

describe.each(languages)('the texts of the settings (%s)', (language) => {
  const texts = optionTexts[language];
  const labels = optionKeys.map((key) => optionText(language, key).label);

  it('are there for every setting, card, tab and unit, and for nothing else', () => {
    const units = optionKeys.flatMap((key) => definitionOf(key).unit ?? []);
    expect(Object.keys(texts.option).sort()).toEqual([...optionKeys].sort());
    expect(Object.keys(texts.card).sort()).toEqual([...optionCards].sort());
    expect(Object.keys(texts.tab)).toEqual(optionTabKeys);
    expect(Object.keys(texts.unit).sort()).toEqual([...new Set(units)].sort());
    const choices = optionKeys.flatMap((key) => definitionOf(key).choices ?? []);
    expect(Object.keys(texts.choice)).toEqual(choices);
  });

  it('name each setting by a short label of its own', () => {
    const maxLength = { en: 36, zh: 24 }[language];
    expect(labels.filter((label) => label.trim() === '' || label.length > maxLength)).toEqual([]);
    // A comma or a bracket is the beginning of an explanation, which belongs into the hint.
    expect(labels.filter((label) => /[,;:.()，；：。（）]/.test(label))).toEqual([]);
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
  });

  it('explain each setting in one or two sentences', () => {
    const end = { en: /[.](?= |$)/g, zh: /。/g }[language];
    const wrong = optionKeys
      .map((key) => optionText(language, key).hint)
      .filter((hint) => !/[.。]$/.test(hint) || (hint.match(end)?.length ?? 0) > 2);
    expect(wrong).toEqual([]);
  });
});

it('Chinese texts of the settings have full-width punctuation', () => {
  const { option, card } = optionTexts.zh;
  const texts = [
    ...Object.values(option).flatMap(Object.values<string>),
    ...Object.values(card).flatMap(Object.values<string>),
  ];
  expect(texts.filter((text) => /\p{Script=Han}[,;:!?()"]|[,;!?()"]\p{Script=Han}/u.test(text))).toEqual([]);
});

describe('the settings', () => {
  it('are on a card of the settings page, and every card has some', () => {
    const shown = optionCards.flatMap(optionsOfCard);
    expect([...shown].sort()).toEqual(optionKeys.filter((key) => !definitionOf(key).withoutEffect).sort());
    expect(optionCards.filter((card) => optionsOfCard(card).length === 0)).toEqual([]);
  });

  it('that commands, screens, pages and documents name are in the list', () => {
    const named = sourcesIn('cli', 'dashboard/src', 'dashboard/docs', 'core/text').flatMap(namesIn);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !isOptionKey(name))).toEqual([]);
  });
});

function sourcesIn(...folders: string[]): string[] {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return ['README.md', ...found.filter((name) => /\.(tsx?|json|md)$/.test(name))];
}

/** The last words of the keys, such as `Enabled` and `Ratio`: what ends in one of them looks like the name of a setting. */
const endings = [...new Set(optionKeys.flatMap((key) => /^[A-Z]\w*[a-z]([A-Z][a-z]+)$/.exec(key)?.[1] ?? []))].join(
  '|',
);
const families = [...new Set(optionKeys.flatMap((key) => /^(\w+)\./.exec(key)?.[1] ?? []))].join('|');
const shapes = [
  new RegExp(`['"\`]([A-Z]\\w*[a-z](?:${endings})|(?:${families})\\.[a-z_]+)['"\`]`, 'g'),
  /\boption (?:get|set|reset) ([A-Z]\w*[a-z]\w*|\w+\.\w+)/g,
];

function namesIn(file: string): { file: string; name: string }[] {
  const text = readFileSync(join(root, file), 'utf8');
  return shapes.flatMap((shape) => [...text.matchAll(shape)].map(([, name = '']) => ({ file, name })));
}
