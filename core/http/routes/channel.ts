import { z } from 'zod';
import { batchSchema } from '../../schemas/batch.ts';
import {
  type ChannelList,
  channelCopyQuery,
  channelCreateSchema,
  channelListSchema,
  channelRevealSchema,
  channelSchema,
  channelStatusBatchSchema,
  channelUpdateSchema,
} from '../../schemas/channel.ts';
import { maxPageSize } from '../../schemas/paging.ts';
import { flagTextSchema, idParams, zeroPageQuery } from '../../schemas/query.ts';
import type { ChannelService } from '../../services/channel/channel.ts';
import { channelIn } from '../../services/channel/view.ts';
import type { StepUp } from '../../services/sign-in/step-up.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface ChannelRouteDependencies {
  channels: ChannelService;
  stepUp: StepUp;
}

/** A channel with a service account, or a thousand keys, or a long model list. */
export const channelBodyBytes = 1024 * 1024;

const { keyword, group, model, sort } = channelListSchema.shape;
// An unknown sort order is ignored: consoles of all kinds call this route.
const viewQuery = { id_sort: flagTextSchema, tag_mode: flagTextSchema, sort: sort.catch(undefined) };
const listQuery = zeroPageQuery.extend(viewQuery).transform(readListQuery);

// Consoles show what a search finds on one page.
const searchPageSize = z.string().default(String(maxPageSize));
const searchQuery = z
  .object({ ...viewQuery, keyword, group, model, p: zeroPageQuery.shape.p, page_size: searchPageSize })
  .transform(readListQuery);

function readListQuery({ p, ...query }: { p: number }): ChannelList {
  return channelListSchema.parse({ ...query, page: p });
}

export function channelRoutes({ channels, stepUp }: ChannelRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/channel/',
      access: 'admin',
      query: listQuery,
      response: responses.data(z.array(channelSchema)),
      handle: async ({ actor, query, language }) =>
        (await channels.list(actor, query)).items.map((channel) => channelIn(language, channel)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/search',
      access: 'admin',
      query: searchQuery,
      response: responses.data(z.array(channelSchema)),
      handle: async ({ actor, query, language }) =>
        (await channels.list(actor, query)).items.map((channel) => channelIn(language, channel)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/:id',
      access: 'admin',
      params: idParams,
      response: responses.data(channelSchema),
      handle: async ({ actor, params, language }) => channelIn(language, await channels.get(actor, params.id)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/',
      access: 'admin',
      bodyLimit: channelBodyBytes,
      body: channelCreateSchema,
      response: responses.empty,
      handle: ({ actor, body }) => channels.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/channel/',
      access: 'admin',
      bodyLimit: channelBodyBytes,
      body: channelUpdateSchema,
      response: responses.data(channelSchema),
      handle: async ({ actor, body, language }) => channelIn(language, await channels.update(actor, body)),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/channel/:id',
      access: 'admin',
      params: idParams,
      response: responses.empty,
      handle: ({ actor, params }) => channels.remove(actor, [params.id]),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/channel/disabled',
      access: 'admin',
      response: responses.data(z.number()),
      handle: ({ actor }) => channels.removeDisabled(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/batch',
      access: 'admin',
      body: batchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.remove(actor, body.ids, { passOver: true }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/batch/status',
      access: 'admin',
      body: channelStatusBatchSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.setStatus(actor, body.ids, body.status),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/copy/:id',
      access: 'admin',
      params: idParams,
      query: channelCopyQuery,
      response: responses.data(channelSchema),
      handle: async ({ actor, params, query, language }) =>
        channelIn(language, await channels.copy(actor, params.id, { requestKey: query.request_key })),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/fix',
      access: 'admin',
      response: responses.data(z.number()),
      handle: ({ actor }) => channels.fixAbilities(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/:id/key',
      access: 'root',
      rate: 'critical',
      params: idParams,
      body: channelRevealSchema,
      showsSecret: true,
      response: responses.data(z.object({ key: z.string() })),
      async handle({ actor, params, body }) {
        await stepUp(actor, body.password);
        return { key: await channels.revealKey(actor, params.id) };
      },
    }),
  ];
}
