import { AppError } from '../../errors/app-error.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';

/** The channels whose own limit the prompt fits in. Throws `relay.promptTooLong` when all of them are too small. */
export function withinInputLimit(tiers: Tiers, promptTokens: number): Tiers {
  const isTooLong = ({ maxInputTokens }: RoutedChannel) => maxInputTokens > 0 && promptTokens > maxInputTokens;
  if (!tiers.some((tier) => tier.some(isTooLong))) return tiers;
  const fitting = tiers.map((tier) => tier.filter((channel) => !isTooLong(channel))).filter(({ length }) => length > 0);
  if (fitting.length > 0 || tiers.length === 0) return fitting;
  const limit = Math.max(...tiers.flat().map(({ maxInputTokens }) => maxInputTokens));
  throw new AppError('relay.promptTooLong', { tokens: promptTokens, limit });
}

/** Why this channel alone is not tried. */
export function inputObjection({ maxInputTokens: limit }: RoutedChannel, promptTokens: number): AppError | undefined {
  return limit > 0 && promptTokens > limit
    ? new AppError('explain.promptTooLong', { tokens: promptTokens, limit })
    : undefined;
}
