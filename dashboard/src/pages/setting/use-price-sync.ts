import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiffScope, PriceDiffRow } from '../../../../core/schemas/price-sync.ts';
import { applyPrices, type PriceSource, previewPrices } from '../../api/price-sync.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { useSettings } from './use-settings.ts';

/** The settings that a sync writes. */
const written = [
  ...(['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'] as const),
  ...(['CreateCacheRatio', 'CreateCacheHourRatio', 'LongPromptRatio'] as const),
];

/** One comparison with a list: what it found, which changes are chosen, and their application. */
export function usePriceSync(onDone: () => void) {
  const { t } = useTranslation('setting');
  const notify = useNotify();
  const { reload } = useSettings();
  const [source, setSource] = useState<PriceSource>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const preview = useMutation({
    mutationFn: (input: { source: PriceSource; scope: DiffScope }) => previewPrices(input.source, input.scope),
    onMutate: (input) => setSource(input.source),
    // What the rules protect is for a person to choose, one by one.
    onSuccess: ({ rows }) => setChosen(new Set(rows.flatMap(({ model, held }) => (held === null ? [model] : [])))),
  });
  const diff = preview.data;
  const rows = diff?.rows.filter(({ model }) => chosen.has(model)) ?? [];
  const apply = useMutation({
    mutationFn: async () => {
      if (!source) return;
      const { models } = await applyPrices(source, rows);
      await reload([...written]);
      notify.success(t('sync.applied', { count: models.length }));
      onDone();
    },
    onError: (error) => notify.error(error),
  });
  return {
    preview,
    diff,
    rows,
    chosen,
    choose(models: readonly PriceDiffRow[], isChosen: boolean): void {
      const next = new Set(chosen);
      for (const { model } of models) {
        if (isChosen) next.add(model);
        else next.delete(model);
      }
      setChosen(next);
    },
    apply,
  };
}

export type PriceSyncState = ReturnType<typeof usePriceSync>;
