import { z } from 'zod';
import { pageSchema } from '../../schemas/paging.ts';
import { rehearsalReportSchema } from '../../schemas/price-rehearsal.ts';
import {
  priceAcceptSchema,
  priceDiffSchema,
  priceHistoryRowSchema,
  priceOfferAskSchema,
  priceOfferSchema,
  priceSyncApplySchema,
  priceSyncPreviewSchema,
  priceSyncRehearseSchema,
} from '../../schemas/price-sync.ts';
import { filterTextSchema, pageQuery } from '../../schemas/query.ts';
import type { PriceHistoryService } from '../../services/pricing/price-history.ts';
import type { PriceOffers } from '../../services/pricing/price-offer.ts';
import type { PriceSync } from '../../services/pricing/price-sync.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface PriceSyncRouteDependencies {
  priceSync: PriceSync;
  priceOffers: PriceOffers;
  priceHistory: PriceHistoryService;
}

/** The text of a list inside JSON is a little longer than the list. */
const sourceBodyBytes = 12 * 1024 * 1024;
const appliedResponse = z.object({ models: z.array(z.string()) });

/** Prices from lists: what would change, the change, and what changed before. */
export function priceSyncRoutes({ priceSync, priceOffers, priceHistory }: PriceSyncRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/sync/preview',
      access: 'root',
      bodyLimit: sourceBodyBytes,
      body: priceSyncPreviewSchema,
      response: responses.data(priceDiffSchema),
      handle: ({ actor, body }) => priceSync.preview(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/sync/apply',
      access: 'root',
      bodyLimit: sourceBodyBytes,
      body: priceSyncApplySchema,
      response: responses.data(appliedResponse),
      handle: ({ actor, body }) => priceSync.applySeen(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/sync/rehearse',
      access: 'root',
      bodyLimit: 1024 * 1024,
      body: priceSyncRehearseSchema,
      response: responses.data(rehearsalReportSchema),
      handle: ({ actor, body }) => priceSync.rehearse(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/offer',
      access: 'admin',
      bodyLimit: 1024 * 1024,
      body: priceOfferAskSchema,
      response: responses.data(z.array(priceOfferSchema)),
      handle: ({ actor, body }) => priceOffers.ofModels(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/pricing/offer/accept',
      access: 'root',
      bodyLimit: 1024 * 1024,
      body: priceAcceptSchema,
      response: responses.data(appliedResponse),
      handle: ({ actor, body }) => priceOffers.accept(actor, body.changes),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/pricing/history',
      access: 'admin',
      query: pageQuery.extend({ model: filterTextSchema }),
      response: responses.data(pageSchema(priceHistoryRowSchema)),
      handle: ({ actor, query: { p, page_size, model } }) => priceHistory.list(actor, { page: p, page_size, model }),
    }),
  ];
}
