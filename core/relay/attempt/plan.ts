import type { RoutedChannel, Tiers } from '../../services/routing.ts';

export interface AttemptPlan {
  tiers: Tiers;
  /** The call names its channel: nothing else is tried. */
  pinned: boolean;
  /** Option RetryTimes. */
  retries: number;
  /** Group and model, for the retry budget. */
  budgetKey: string;
  upstreamModel(channel: RoutedChannel): string;
}
