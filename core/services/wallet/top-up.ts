import type { Database } from '../../database/connect.ts';
import type { TopUpRow } from '../../database/models/top-up.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Page } from '../../schemas/paging.ts';
import type { TopUp, TopUpInfo, TopUpList, TopUpListAll } from '../../schemas/wallet.ts';
import { type Language, textIn } from '../../text/text.ts';
import { requireRole } from '../actor.ts';
import { listRows, orderBy } from '../list-rows.ts';
import type { OptionService } from '../option/option.ts';

interface TopUpDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
}

export type TopUpService = ReturnType<typeof createTopUpService>;

/** Orders at the payment service, as they are looked at; the wallet makes and completes them. */
export function createTopUpService({ database, options }: TopUpDependencies) {
  function info(actor: Actor, language: Language): TopUpInfo {
    requireRole(actor, role.user);
    const isOn = [options.get('PayAddress'), options.get('EpayId'), options.get('EpayKey')].every(
      (text) => text !== '',
    );
    const min = options.get('MinTopUp');
    return {
      enable_online_topup: isOn,
      pay_methods: isOn
        ? (['zfb', 'wx'] as const).map((type) => ({ name: textIn(language, 'notice', `page.${type}`), type }))
        : [],
      min_topup: options.get('DisplayInCurrencyEnabled') ? min : Math.ceil(min * options.get('QuotaPerUnit')),
      topup_link: options.get('TopUpLink'),
      amount_options: [],
      discount: {},
      enable_stripe_topup: false,
    };
  }

  const listOwn = (actor: Actor, input: TopUpList): Promise<Page<TopUp>> => {
    requireRole(actor, role.user);
    return list(input, { user_id: actor.id });
  };

  const listAll = (actor: Actor, { user_id, ...input }: TopUpListAll): Promise<Page<TopUp>> => {
    requireRole(actor, role.admin);
    return list(input, user_id ? { user_id } : {});
  };

  async function list({ keyword, page, page_size }: TopUpList, owner: { user_id?: number }): Promise<Page<TopUp>> {
    const query = { where: { ...owner, ...(keyword && { trade_no: keyword }) }, order: orderBy('-id') };
    const { rows, total } = await listRows(database.topUps, query, { page, page_size });
    return { items: rows.map(topUpView), page, page_size, total };
  }

  return { info, listOwn, listAll };
}

/** What the payment service calls the order stays with us. */
export function topUpView({ money_cents: _cents, provider_trade_no: _number, ...row }: TopUpRow): TopUp {
  return row;
}
