import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useController, useFormState } from 'react-hook-form';
import type { OptionKey } from '../../../../core/schemas/option.ts';
import { completionRatioOptions } from '../../api/setting.ts';
import { type EntryShape, readEntries, writeEntries } from './json-entries.ts';
import { useSettings } from './use-settings.ts';

export const priceFields = ['price', 'ratio', 'completionRatio', 'cacheRatio'] as const;
export type PriceField = (typeof priceFields)[number];

/** What a model costs; an unfinished number is the text being typed. */
export interface PriceRow extends Partial<Record<PriceField, unknown>> {
  name: string;
  /** Set here, not built in. */
  isOwn: boolean;
}

/** The setting that holds it, and whose name it has. */
export const optionOf = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completionRatio: 'CompletionRatio',
  cacheRatio: 'CacheRatio',
} as const satisfies Record<PriceField, OptionKey>;

const shape: EntryShape = { kind: 'value', columns: [{ key: 'value' }] };

type NumberTexts = Record<PriceField, Map<string, unknown> | undefined>;

export interface Prices {
  /** Undefined while one of the texts is not JSON. */
  rows: PriceRow[] | undefined;
  /** As they are stored. */
  storedRows: PriceRow[] | undefined;
  /** Undefined takes the value away. */
  set(name: string, values: Partial<Record<PriceField, number | string | undefined>>): void;
  remove(name: string): void;
}

/** The four price maps as one table. The texts of their fields stay the truth, so raw and visual are always the same. */
export function usePrices(): Prices {
  const { detail, form } = useSettings();
  const { defaultValues } = useFormState({ control: form.control });
  const fields = {
    price: useController({ name: optionOf.price }).field,
    ratio: useController({ name: optionOf.ratio }).field,
    completionRatio: useController({ name: optionOf.completionRatio }).field,
    cacheRatio: useController({ name: optionOf.cacheRatio }).field,
  };
  const texts = priceFields.map((field) => String(fields[field].value));
  const owns = priceFields.map((field) => detail(optionOf[field])?.own ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are what the rows are made of
  const maps = useMemo(() => numbersOf(texts), texts);
  const ownText = JSON.stringify(owns);
  const ownNames = useMemo(() => namesOf(JSON.parse(ownText) as string[]), [ownText]);
  const rows = useMemo(() => rowsOf(maps, ownNames), [maps, ownNames]);

  const storedText = JSON.stringify(priceFields.map((field) => String(defaultValues?.[optionOf[field]] ?? '')));
  const storedRows = useMemo(
    () => rowsOf(numbersOf(JSON.parse(storedText) as string[]), ownNames),
    [storedText, ownNames],
  );

  const { data: ratios } = useQuery(completionRatioOptions);
  const outputs = useRef(new Map<string, number>());

  /** The output price, which is stored as a multiple of the input price; where only a rule of its family says it, the server knows. */
  function outputOf(name: string): number | undefined {
    const ratio = maps.ratio?.get(name);
    const factor = maps.completionRatio?.get(name) ?? ratios?.[name];
    return typeof ratio === 'number' && typeof factor === 'number' ? ratio * factor : undefined;
  }

  /** With another input price goes another multiple, so that the output price stays as it is. What was typed on the way does not count. */
  function keepOutput(name: string, ratio: unknown): void {
    const output = outputs.current.get(name) ?? outputOf(name);
    if (output === undefined || typeof ratio !== 'number' || !(ratio > 0)) return;
    outputs.current.set(name, output);
    put('completionRatio', name, Number((output / ratio).toFixed(10)));
  }

  function put(field: PriceField, name: string, value: number | string | undefined): void {
    const map = new Map(maps[field]);
    if (value === undefined || value === '') map.delete(name);
    else map.set(name, value);
    const entries = [...map].map(([key, one]): [string, Record<string, unknown>] => [key, { value: one }]);
    fields[field].onChange(writeEntries(entries, shape));
  }

  return {
    rows,
    storedRows,
    set(name, values) {
      if ('ratio' in values && !('completionRatio' in values)) keepOutput(name, values.ratio);
      else outputs.current.delete(name);
      for (const field of priceFields) if (field in values) put(field, name, values[field]);
    },
    remove(name) {
      for (const field of priceFields) if (maps[field]?.has(name)) put(field, name, undefined);
    },
  };
}

function numbersOf(texts: string[]): NumberTexts {
  const maps = texts.map((text) => {
    const entries = readEntries(text, shape);
    return entries && new Map(entries.map(([name, { value }]) => [name, value]));
  });
  const [price, ratio, completionRatio, cacheRatio] = maps;
  return { price, ratio, completionRatio, cacheRatio };
}

const namesOf = (texts: string[]) =>
  new Set(Object.values(numbersOf(texts)).flatMap((map) => [...(map?.keys() ?? [])]));

function rowsOf({ price, ratio, completionRatio, cacheRatio }: NumberTexts, own: Set<string>): PriceRow[] | undefined {
  if (!price || !ratio || !completionRatio || !cacheRatio) return undefined;
  const names = new Set([...price.keys(), ...ratio.keys(), ...completionRatio.keys(), ...cacheRatio.keys()]);
  return [...names].sort().map((name) => ({
    name,
    isOwn: own.has(name),
    price: price.get(name),
    ratio: ratio.get(name),
    completionRatio: completionRatio.get(name),
    cacheRatio: cacheRatio.get(name),
  }));
}
