import { priceListSchema } from '../../schemas/price-list.ts';
import type { PriceListService } from '../../services/pricing/price-list.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function pricingRoutes({ priceList }: { priceList: PriceListService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/pricing',
      access: 'public',
      response: responses.whole(priceListSchema),
      handle: async ({ visitor }) => ({ success: true, ...(await priceList.read(await visitor())) }),
    }),
  ];
}
