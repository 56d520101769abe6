import { type Bill, readBill } from '../../../../core/billing/receipt.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { readRecord } from './log-record.ts';

/** What the charge is computed from: the bill of the row, or for an imported one the figures it has. */
export function billOf(log: Log, quotaPerUnit: number): Bill | undefined {
  const kept = readBill(log.other);
  if (kept) return kept;
  const { model_ratio: modelRatio, model_price: modelPrice = -1, group_ratio: groupRatio, ...record } = readRecord(log);
  if (groupRatio === undefined || (modelRatio === undefined && modelPrice < 0)) return undefined;
  const { completion_ratio: completionRatio = 1, cache_tokens: cachedRead = 0, cache_ratio: cacheRatio = 1 } = record;
  const neutral = { createCacheRatio: 1, createCacheHourRatio: 1, audioRatio: 1, audioCompletionRatio: 1 };
  return {
    rates: {
      ...neutral,
      imageRatio: 1,
      imageCompletionRatio: 1,
      source: 'operator',
      quotaPerUnit,
      kind: modelPrice >= 0 ? 'price' : 'ratio',
      modelRatio: modelRatio ?? 0,
      modelPrice,
      completionRatio,
      cacheRatio,
      groupRatio,
    },
    usage: {
      prompt: log.prompt_tokens,
      completion: log.completion_tokens,
      cachedRead,
      cacheWrite: 0,
      reasoning: 0,
      audioInput: 0,
      audioOutput: 0,
    },
    extras: {},
  };
}
