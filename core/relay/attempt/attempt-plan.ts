import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { Attachment } from '../affinity/affinity.ts';
import type { RelayOptions } from '../relay-options.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';
import { type Preference, type PreferenceDependencies, preferenceOf } from './preference.ts';

/** Where one call may go, and how often. */
export interface AttemptPlan {
  tiers: Tiers;
  /** The call names its channel: nothing else is tried. */
  pinned: boolean;
  /** Option RetryTimes. */
  retries: number;
  /** Group and model, for the retry budget. */
  budgetKey: string;
  /** Undefined for a call without a conversation. */
  attachment?: Attachment | undefined;
  /** Undefined where weights alone decide. */
  preference: Preference | undefined;
  upstreamModel(channel: RoutedChannel): string;
}

interface PlannedCall extends Pick<AttemptPlan, 'tiers' | 'pinned'> {
  group: string;
  model: string;
}

interface PlanDependencies extends PreferenceDependencies {
  options: Pick<RelayOptions, 'retryTimes' | 'routingStrategy'>;
}

export function planOf({ tiers, pinned, group, model }: PlannedCall, dependencies: PlanDependencies): AttemptPlan {
  return {
    tiers,
    pinned,
    retries: dependencies.options.retryTimes(),
    budgetKey: `${group}\n${model}`,
    upstreamModel: (channel) => upstreamModelOf(channel, model),
    preference: preferenceOf({ model, group }, dependencies),
  };
}
