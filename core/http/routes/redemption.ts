import { z } from 'zod';
import { batchSchema } from '../../schemas/batch.ts';
import { type Page, pageSchema } from '../../schemas/paging.ts';
import { idParams, pageQuery } from '../../schemas/query.ts';
import {
  type Redemption,
  redeemSchema,
  redemptionChangeSchema,
  redemptionCreateSchema,
  redemptionListFilters,
  redemptionListSchema,
  redemptionSchema,
  redemptionStatusBatchSchema,
  redemptionStatusSchema,
  redemptionUpdateSchema,
} from '../../schemas/redemption.ts';
import { keyIn } from '../../services/secret.ts';
import type { RedemptionService } from '../../services/wallet/redemption.ts';
import type { Language } from '../../text/text.ts';
import { parseInput } from '../console/parse-input.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

// An unknown sort order is ignored.
const listQuery = pageQuery.extend({ ...redemptionListFilters, sort: redemptionListFilters.sort.catch(undefined) });

const pageIn = (language: Language, found: Page<Redemption>): Page<Redemption> => ({
  ...found,
  items: found.items.map((code) => keyIn(language, code)),
});

/** Codes worth quota: admins make them, every user may redeem one (console reference, 8.1). */
export function redemptionRoutes({ redemptions }: { redemptions: RedemptionService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/redemption/',
      access: 'admin',
      query: listQuery,
      showsSecret: true,
      response: responses.data(pageSchema(redemptionSchema)),
      handle: async ({ actor, query: { p, ...query }, language }) =>
        pageIn(language, await redemptions.list(actor, { keyword: '', page: p, ...query })),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/redemption/search',
      access: 'admin',
      query: listQuery.extend({ keyword: redemptionListSchema.shape.keyword }),
      showsSecret: true,
      response: responses.data(pageSchema(redemptionSchema)),
      handle: async ({ actor, query: { p, ...query }, language }) =>
        pageIn(language, await redemptions.list(actor, { page: p, ...query })),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/redemption/:id',
      access: 'admin',
      params: idParams,
      showsSecret: true,
      response: responses.data(redemptionSchema),
      handle: async ({ actor, params, language }) => keyIn(language, await redemptions.get(actor, params.id)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/redemption/',
      access: 'admin',
      body: redemptionCreateSchema,
      showsSecret: true,
      response: responses.data(z.array(z.string())),
      handle: ({ actor, body }) => redemptions.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/redemption/',
      access: 'admin',
      objects: 'unused',
      query: z.object({ status_only: z.string().optional() }),
      body: redemptionChangeSchema,
      showsSecret: true,
      response: responses.data(redemptionSchema),
      handle: async ({ actor, query, body, language }) =>
        keyIn(
          language,
          await (query.status_only
            ? redemptions.setStatus(actor, parseInput(redemptionStatusSchema, body))
            : redemptions.update(actor, parseInput(redemptionUpdateSchema, body))),
        ),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/redemption/batch/status',
      access: 'admin',
      body: redemptionStatusBatchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => redemptions.setStatusMany(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/redemption/batch',
      access: 'admin',
      body: batchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => redemptions.removeMany(actor, body.ids),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/redemption/invalid',
      access: 'admin',
      response: responses.data(z.number()),
      handle: ({ actor }) => redemptions.removeInvalid(actor),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/redemption/:id',
      access: 'admin',
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => redemptions.remove(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/user/topup',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      body: redeemSchema,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => redemptions.redeem(actor, body.key),
    }),
  ];
}
