import type { RelayRequest } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import { adapterFor } from '../providers/registry.ts';
import type { Caller } from '../services/caller.ts';
import type { RoutedChannel, Routing, Tiers } from '../services/routing.ts';
import { coded } from '../text/coded.ts';
import { upstreamModelOf } from './request/outgoing-call.ts';

/** Where a call may go. Throws AppError when the token or the group may not use the model, or nothing serves it. */
export function admit(caller: Caller, model: string, routing: Routing): { tiers: Tiers; pinned: boolean } {
  checkModelLimits(caller, model);
  if (caller.pinnedChannelId !== undefined) {
    const pinned = routing.channel(caller.pinnedChannelId);
    if (!pinned) throw new AppError('token.pinUnknown');
    if (!pinned.enabled) throw new AppError('token.pinDisabled');
    return { tiers: [[pinned.channel]], pinned: true };
  }
  const tiers = routing.tiers(caller.group, model);
  if (tiers.length > 0) return { tiers, pinned: false };
  const { group } = caller;
  if (routing.isBroken(group, model)) throw new AppError('relay.inconsistent', { model, group }, { param: 'model' });
  if (routing.isKnown(group, model)) {
    throw new AppError('relay.noChannel', { model, group }, { param: 'model', retryAfterSeconds: 30 });
  }
  const near = routing.near(group, model);
  throw new AppError(
    'relay.unknownModel',
    { model, group, near: near.length ? coded('channel.nearModels', { names: near.join(', ') }) : '' },
    { param: 'model' },
  );
}

export function checkModelLimits({ modelLimits, tokenName: name }: Caller, model: string): void {
  if (!modelLimits || modelLimits.has(model)) return;
  const allowed = [...modelLimits].slice(0, 20).join(', ') || coded('token.noModels');
  throw new AppError('token.modelRefused', { name, model, allowed }, { param: 'model' });
}

/** The channels whose own limit the prompt fits in. Throws `relay.promptTooLong` when all of them are too small. */
export function withinInputLimit(tiers: Tiers, promptTokens: number): Tiers {
  const isTooLong = ({ maxInputTokens }: RoutedChannel) => maxInputTokens > 0 && promptTokens > maxInputTokens;
  if (!tiers.some((tier) => tier.some(isTooLong))) return tiers;
  const fitting = tiers.map((tier) => tier.filter((channel) => !isTooLong(channel))).filter(({ length }) => length > 0);
  if (fitting.length > 0 || tiers.length === 0) return fitting;
  const limit = Math.max(...tiers.flat().map(({ maxInputTokens }) => maxInputTokens));
  throw new AppError('relay.promptTooLong', { tokens: promptTokens, limit });
}

/** The channels that draw as many images in one call as it asks for. Throws `relay.tooManyImages` when none of them does. */
export function withinImageLimit(tiers: Tiers, { model, units }: Pick<RelayRequest, 'model' | 'units'>): Tiers {
  const count = units.images?.count ?? 1;
  if (count === 1) return tiers;
  const limitOf = (channel: RoutedChannel) =>
    adapterFor(channel.type)?.maxImages?.(upstreamModelOf(channel, model)) ?? Number.POSITIVE_INFINITY;
  const fitting = tiers
    .map((tier) => tier.filter((channel) => limitOf(channel) >= count))
    .filter(({ length }) => length > 0);
  if (fitting.length > 0 || tiers.length === 0) return fitting;
  const limit = Math.max(...tiers.flat().map(limitOf));
  throw new AppError('relay.tooManyImages', { model, asked: count, limit }, { param: 'n' });
}

/** Why this channel alone is not tried. */
export function inputObjection({ maxInputTokens: limit }: RoutedChannel, promptTokens: number): AppError | undefined {
  return limit > 0 && promptTokens > limit
    ? new AppError('explain.promptTooLong', { tokens: promptTokens, limit })
    : undefined;
}
