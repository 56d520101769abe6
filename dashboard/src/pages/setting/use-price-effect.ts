import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { rehearsedOptionKeys } from '../../../../core/schemas/price-rehearsal.ts';
import { ApiError } from '../../api/api-error.ts';
import { rehearsePrices } from '../../api/pricing.ts';
import { weekSpendOptions } from '../../api/usage-data.ts';
import { useSettled } from '../../state/use-settled.ts';
import { fieldName, isChanged, type SettingForm } from './setting-form.ts';
import { useSettings } from './use-settings.ts';

/** Settings whose price was changed and not saved yet, as texts by name. Of all cards: groups and surcharges price requests, too. */
export function changedPrices(form: SettingForm): Record<string, string> {
  const changed = rehearsedOptionKeys.filter((key) => isChanged(form, key));
  return Object.fromEntries(changed.map((key) => [key, String(form.getValues(fieldName(key)))]));
}

/** In quota; undefined while it is not known. */
export interface PriceEffect {
  /** What the model's requests of the last seven days cost. */
  lastWeek(model: string): number | undefined;
  /** What they would have cost at the prices that are not saved yet; undefined without such prices. */
  atNewPrice(model: string): number | undefined;
  /** Of all models. */
  total: { old_quota: number; new_quota: number } | undefined;
  state: 'unchanged' | 'counting' | 'known' | 'failed';
  /** Why the costs of the last seven days are not known, and how to read them again. */
  unread: { error: Error; retry: () => void } | undefined;
}

const weekDays = 7;
const busyPauseMs = 1500;
const maxTries = 8;

/** What the last week cost, and what it would have cost at the prices as they are typed. */
export function usePriceEffect(): PriceEffect {
  const { form } = useSettings();
  useWatch({ control: form.control, name: rehearsedOptionKeys.map(fieldName) });
  const proposal = useSettled(JSON.stringify(changedPrices(form)));
  const isProposed = proposal !== '{}';
  const { data: spend, error: spendError, refetch } = useQuery(weekSpendOptions);
  const { data: report, isError } = useQuery({
    queryKey: ['rehearsal', JSON.parse(proposal), weekDays],
    queryFn: ({ signal }) => rehearsePrices(JSON.parse(proposal), weekDays, signal),
    enabled: isProposed,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Another root may be at it.
    retry: (count, error) => error instanceof ApiError && error.status === 409 && count < maxTries,
    retryDelay: busyPauseMs,
  });
  return useMemo(() => {
    const known = isProposed ? report : undefined;
    const byModel = new Map(known?.models.map((one) => [one.model, one]));
    const lastWeek = (model: string) => byModel.get(model)?.old_quota ?? (spend && (spend.get(model) ?? 0));
    return {
      lastWeek,
      // A model that is missing in the report costs what it did.
      atNewPrice: (model) => known && (byModel.get(model)?.new_quota ?? lastWeek(model)),
      total: known?.total,
      state: !isProposed ? 'unchanged' : known ? 'known' : isError ? 'failed' : 'counting',
      unread: spend === undefined && spendError ? { error: spendError, retry: () => void refetch() } : undefined,
    };
  }, [isProposed, report, spend, spendError, refetch, isError]);
}
