import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import type { OptionKey } from '../../../../core/schemas/option.ts';
import { differencesOf } from './setting-conflict.ts';
import { fieldName } from './setting-form.ts';
import { optionOf, priceFields } from './use-prices.ts';
import { useSettings } from './use-settings.ts';

const priceKeys: OptionKey[] = priceFields.map((field) => optionOf[field]);
const priceNames = priceKeys.map(fieldName);

/** How many things were changed in these settings: the price of one model counts once, though several settings hold it. */
export function useChangeCount(): (changed: readonly OptionKey[]) => number {
  const { form } = useSettings();
  const texts = useWatch({ control: form.control, name: priceNames }).map(String);
  const stored = priceNames.map((name) => String(form.formState.defaultValues?.[name] ?? ''));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are what the names are made of
  const namesOf = useMemo(
    () =>
      new Map(
        priceKeys.map((key, index) => [key, changedNames(key, { mine: texts[index], stored: stored[index] })] as const),
      ),
    [...texts, ...stored],
  );
  return (changed) => {
    const prices = changed.filter((key) => namesOf.has(key));
    const names = new Set(prices.flatMap((key) => namesOf.get(key) ?? []));
    // A text that is only written differently is a change, too.
    return changed.length - prices.length + (prices.length > 0 ? Math.max(names.size, 1) : 0);
  };
}

function changedNames(key: OptionKey, { mine = '', stored = '' }: { mine?: string; stored?: string }): string[] {
  return mine === stored ? [] : differencesOf({ key, mine, theirs: stored }).map(({ name }) => name);
}
