import { priceListSchema } from '../../schemas/price-list.ts';
import { priceRehearsalSchema, rehearsalReportSchema } from '../../schemas/price-rehearsal.ts';
import type { PriceListService } from '../../services/pricing/price-list.ts';
import type { PriceRehearsals } from '../../services/pricing/price-rehearsal.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface PricingRoutesDependencies {
  priceList: PriceListService;
  priceRehearsals: PriceRehearsals;
}

/** Price maps of a thousand models. */
const rehearsalBytes = 1024 * 1024;

export function pricingRoutes({ priceList, priceRehearsals }: PricingRoutesDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/pricing',
      access: 'public',
      response: responses.whole(priceListSchema),
      handle: async ({ visitor }) => ({ success: true, ...(await priceList.read(await visitor())) }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/rehearse',
      access: 'root',
      bodyLimit: rehearsalBytes,
      body: priceRehearsalSchema,
      response: responses.data(rehearsalReportSchema),
      handle: ({ actor, body }) => priceRehearsals.rehearse(actor, body),
    }),
  ];
}
