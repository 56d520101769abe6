import type { IncomingMessage } from 'node:http';
import type { Database } from '../../database/connect.ts';
import type { Caller, CallerService } from '../../services/caller.ts';
import type { OptionService } from '../../services/option/option.ts';
import { credentialOf } from '../relay/credential.ts';
import { openRelayCall, sendJson, sendRelayError } from '../relay/relay-call.ts';
import type { RateClass, RawExchange, RawRoute } from '../route.ts';

interface BillingRouteDependencies {
  callers: CallerService;
  database: Database;
  options: Pick<OptionService, 'get'>;
  addressOf(incoming: IncomingMessage): string;
  countCall(rate: RateClass, address: string): Promise<void>;
}

interface Account {
  remaining: number;
  used: number;
  unlimited: boolean;
  /** Unix seconds, 0 = never ends. */
  until: number;
}

/** What a token without a limit shows as its limit (console reference, 13). */
const unlimitedAmount = 100_000_000;

/** The balance routes of old OpenAI SDKs and chat front ends: the token's figures, or the user's when the option says so. */
export function billingRoutes(dependencies: BillingRouteDependencies): RawRoute[] {
  const { callers, database, options, addressOf, countCall } = dependencies;

  async function accountOf({ tokenId, userId }: Caller): Promise<Account> {
    if (options.get('DisplayTokenStatEnabled')) {
      const token = await database.tokens.findOne({ where: { id: tokenId }, raw: true });
      return {
        remaining: token?.remain_quota ?? 0,
        used: token?.used_quota ?? 0,
        unlimited: Boolean(token?.unlimited_quota),
        until: Math.max(0, token?.expired_time ?? 0),
      };
    }
    const user = await database.users.findOne({ where: { id: userId }, raw: true });
    return { remaining: user?.quota ?? 0, used: user?.used_quota ?? 0, unlimited: false, until: 0 };
  }

  const inUnit = (quota: number) =>
    options.get('DisplayInCurrencyEnabled') ? quota / options.get('QuotaPerUnit') : quota;

  function subscription({ remaining, used, unlimited, until }: Account) {
    const limit = unlimited ? unlimitedAmount : inUnit(remaining + used);
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: until,
    };
  }

  const usage = ({ used }: Account) => ({ object: 'list', total_usage: inUnit(used) * 100 });

  function route(path: string, write: (account: Account) => unknown): RawRoute {
    const serve = async (exchange: RawExchange) => {
      const { incoming } = exchange;
      const entry = openRelayCall(exchange);
      try {
        const address = addressOf(incoming);
        await countCall('api', address);
        const caller = await callers.authenticate(credentialOf(incoming), address);
        sendJson(entry, write(await accountOf(caller)));
      } catch (error) {
        sendRelayError(entry, incoming, error);
      }
    };
    return { method: 'GET', path, access: 'key', serve };
  }

  return ['', '/v1'].flatMap((prefix) => [
    route(`${prefix}/dashboard/billing/subscription`, subscription),
    route(`${prefix}/dashboard/billing/usage`, usage),
  ]);
}
