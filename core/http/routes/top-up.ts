import { pageSchema } from '../../schemas/paging.ts';
import { pageQuery } from '../../schemas/query.ts';
import {
  topUpCompleteSchema,
  topUpInfoSchema,
  topUpListAllSchema,
  topUpListSchema,
  topUpSchema,
} from '../../schemas/wallet.ts';
import type { TopUpService } from '../../services/wallet/top-up.ts';
import type { WalletService } from '../../services/wallet/wallet.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const query = pageQuery.extend({ keyword: topUpListSchema.shape.keyword });
const queryAll = query.extend({ user_id: topUpListAllSchema.shape.user_id });

/** What can be bought, and what was (console reference, 15). */
export function topUpRoutes({ topUps, wallet }: { topUps: TopUpService; wallet: WalletService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/topup/info',
      access: 'user',
      response: responses.data(topUpInfoSchema),
      handle: ({ actor, language }) => topUps.info(actor, language),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/topup/self',
      access: 'user',
      objects: 'own',
      query,
      response: responses.data(pageSchema(topUpSchema)),
      handle: ({ actor, query: { p, page_size, keyword } }) => topUps.listOwn(actor, { keyword, page: p, page_size }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/topup',
      access: 'admin',
      query: queryAll,
      response: responses.data(pageSchema(topUpSchema)),
      handle: ({ actor, query: { p, ...query } }) => topUps.listAll(actor, { ...query, page: p }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/topup/complete',
      access: 'admin',
      objects: 'lowerRoleOrRoot',
      body: topUpCompleteSchema,
      response: responses.data(topUpSchema),
      handle: ({ actor, body }) => wallet.completeByHand(actor, body),
    }),
  ];
}
