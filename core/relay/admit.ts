import { AppError } from '../errors/app-error.ts';
import type { Caller } from '../services/caller.ts';
import type { Routing, Tiers } from '../services/routing.ts';

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
    { model, group, near: near.length ? ` Near: ${near.join(', ')}` : '' },
    { param: 'model' },
  );
}

export function checkModelLimits({ modelLimits, tokenName: name }: Caller, model: string): void {
  if (!modelLimits || modelLimits.has(model)) return;
  const allowed = [...modelLimits].slice(0, 20).join(', ');
  throw new AppError('token.modelRefused', { name, model, allowed }, { param: 'model' });
}
