import { z } from 'zod';
import { batchIdsSchema, batchSchema } from '../../schemas/batch.ts';
import { maxPageSize } from '../../schemas/paging.ts';
import { idParams, zeroPageQuery } from '../../schemas/query.ts';
import {
  type TokenList,
  tokenCreateSchema,
  tokenListSchema,
  tokenSchema,
  tokenStatusBatchSchema,
  tokenStatusSchema,
  tokenUpdateSchema,
  tokenUsageSchema,
} from '../../schemas/token.ts';
import { keyIn } from '../../services/secret.ts';
import type { TokenService } from '../../services/token/token.ts';
import { parseInput } from '../console/parse-input.ts';
import { credentialOf } from '../relay/credential.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const { keyword, token, sort } = tokenListSchema.shape;
// An unknown sort order is ignored.
const viewQuery = { p: zeroPageQuery.shape.p, sort: sort.catch(undefined) };
const listQuery = z.object({ ...viewQuery, size: z.string().optional() }).transform(readListQuery);

// Consoles show what a search finds on one page.
const searchPageSize = z.string().default(String(maxPageSize));
const searchQuery = z.object({ ...viewQuery, keyword, token, size: searchPageSize }).transform(readListQuery);

function readListQuery({ p, size, ...query }: { p: number; size?: string | undefined }): TokenList {
  return tokenListSchema.parse({ ...query, page: p, page_size: size });
}

/** Any text in `status_only` means: the status and nothing else. */
const updateQuery = z.object({ status_only: z.string().optional() });
/** Which of its fields count is known only with the query. */
const updateBody = z.looseObject({ id: z.number().int().positive() });

/** As many as a page shows: each of them leaves a trace. */
const keysBody = z.object({ ids: batchIdsSchema.refine((ids) => ids.length <= maxPageSize) });

/** Each user's own tokens. Owners see whole keys, because consoles copy them from the list; other users do not see the token. */
export function tokenRoutes({ tokens }: { tokens: TokenService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/token/',
      access: 'user',
      objects: 'own',
      query: listQuery,
      showsSecret: true,
      response: responses.data(z.array(tokenSchema)),
      handle: async ({ actor, query, language }) =>
        (await tokens.list(actor, query, { withKeys: true })).items.map((token) => keyIn(language, token)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/token/search',
      access: 'user',
      objects: 'own',
      query: searchQuery,
      showsSecret: true,
      response: responses.data(z.array(tokenSchema)),
      handle: async ({ actor, query, language }) =>
        (await tokens.list(actor, query, { withKeys: true })).items.map((token) => keyIn(language, token)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/token/:id',
      access: 'user',
      objects: 'own',
      params: idParams,
      showsSecret: true,
      response: responses.data(tokenSchema),
      handle: async ({ actor, params, language }) =>
        keyIn(language, await tokens.get(actor, params.id, { withKeys: true })),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/token/',
      access: 'user',
      objects: 'own',
      body: tokenCreateSchema,
      response: responses.empty,
      handle: ({ actor, body }) => tokens.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/token/',
      access: 'user',
      objects: 'own',
      query: updateQuery,
      body: updateBody,
      response: responses.data(tokenSchema),
      handle: async ({ actor, query, body, language }) =>
        keyIn(
          language,
          await (query.status_only
            ? tokens.setStatus(actor, parseInput(tokenStatusSchema, body))
            : tokens.update(actor, parseInput(tokenUpdateSchema, body))),
        ),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/token/:id',
      access: 'user',
      objects: 'own',
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => tokens.remove(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/token/batch',
      access: 'user',
      objects: 'own',
      body: batchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => tokens.removeMany(actor, body.ids),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/token/batch/status',
      access: 'user',
      objects: 'own',
      body: tokenStatusBatchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => tokens.setStatusMany(actor, body),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/usage/token/',
      access: 'key',
      objects: 'keyInHeader',
      response: responses.whole(z.object({ code: z.literal(true), message: z.literal('ok'), data: tokenUsageSchema })),
      async handle({ reply, caller }) {
        const key = credentialOf(reply.request.raw);
        return { code: true, message: 'ok', data: await tokens.usageOfKey(key, caller.address) };
      },
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/token/batch/keys',
      access: 'user',
      objects: 'own',
      body: keysBody,
      strictBody: true,
      showsSecret: true,
      response: responses.data(z.object({ keys: z.record(z.string(), z.string()) })),
      handle: async ({ actor, body }) => ({ keys: await tokens.revealMany(actor, body.ids) }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/token/:id/key',
      access: 'user',
      objects: 'own',
      params: idParams,
      showsSecret: true,
      response: responses.data(z.object({ key: z.string() })),
      handle: async ({ actor, params }) => ({ key: await tokens.reveal(actor, params.id) }),
    }),
  ];
}
