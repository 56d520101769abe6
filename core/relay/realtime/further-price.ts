import type { Caller } from '../../services/caller.ts';
import type { Priced, Pricing } from '../../services/pricing/pricing.ts';
import { checkModelLimits } from '../admit.ts';
import { findPrice } from '../meter/quote.ts';

/** For a further model that a session asks for: its token must be allowed it, as if it were called by itself. */
export function furtherPrice(pricing: Pick<Pricing, 'find'>, caller: Caller, model: string): Priced {
  checkModelLimits(caller, model);
  return findPrice(pricing, model, caller.group);
}
