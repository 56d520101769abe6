import { z } from 'zod';
import type { Language } from '../../errors/app-error.ts';
import { knownTextZh } from '../../errors/known-text.ts';
import { batchSchema } from '../../schemas/batch.ts';
import {
  type Channel,
  type ChannelList,
  channelCreateSchema,
  channelListSchema,
  channelRevealSchema,
  channelSchema,
  channelStatusBatchSchema,
  channelUpdateSchema,
} from '../../schemas/channel.ts';
import { maximumPageSize } from '../../schemas/paging.ts';
import { flagTextSchema, idParams, zeroPageQuery } from '../../schemas/query.ts';
import type { ChannelService } from '../../services/channel/channel.ts';
import type { StepUp } from '../../services/sign-in/step-up.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

interface ChannelRouteDependencies {
  channels: ChannelService;
  stepUp: StepUp;
}

/** A channel with a service account, or a thousand keys, or a long model list. */
export const channelBodyBytes = 1024 * 1024;

const { keyword, group, model, sort } = channelListSchema.shape;
// An order nobody knows is none: consoles of all kinds ask this route.
const viewQuery = { id_sort: flagTextSchema, tag_mode: flagTextSchema, sort: sort.catch(undefined) };
const listQuery = zeroPageQuery.extend(viewQuery).transform(readListQuery);

// Consoles show what a search finds on one page.
const searchPageSize = z.string().default(String(maximumPageSize));
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
      summary: 'List channels by page, or with tag_mode by page of tags',
      query: listQuery,
      answer: answers.data(z.array(channelSchema)),
      handle: async ({ actor, query, language }) => (await channels.list(actor, query)).items.map(inLanguage(language)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/search',
      access: 'admin',
      summary: 'Find channels by id, part of the name or whole key, by model and by group',
      query: searchQuery,
      answer: answers.data(z.array(channelSchema)),
      handle: async ({ actor, query, language }) => (await channels.list(actor, query)).items.map(inLanguage(language)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/:id',
      access: 'admin',
      summary: 'Read one channel, without its key',
      params: idParams,
      answer: answers.data(channelSchema),
      handle: async ({ actor, params, language }) => inLanguage(language)(await channels.get(actor, params.id)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/',
      access: 'admin',
      summary: 'Add a channel, or one for each line of keys',
      bodyLimit: channelBodyBytes,
      body: channelCreateSchema,
      answer: answers.empty,
      handle: ({ actor, body }) => channels.create(actor, body),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/channel/',
      access: 'admin',
      summary: 'Change a channel; what is left out stays, a blank key keeps the stored one',
      bodyLimit: channelBodyBytes,
      body: channelUpdateSchema,
      answer: answers.data(channelSchema),
      handle: ({ actor, body }) => channels.update(actor, body),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/channel/:id',
      access: 'admin',
      summary: 'Delete a channel',
      params: idParams,
      answer: answers.empty,
      handle: ({ actor, params }) => channels.remove(actor, [params.id]),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/channel/disabled',
      access: 'admin',
      summary: 'Delete all channels that are off; data is their number',
      answer: answers.data(z.number()),
      handle: ({ actor }) => channels.removeDisabled(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/batch',
      access: 'admin',
      summary: 'Delete several channels; data is the number of those that were there',
      body: batchSchema,
      strictBody: true,
      answer: answers.data(z.number()),
      handle: ({ actor, body }) => channels.remove(actor, body.ids, { passOver: true }),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/batch/status',
      access: 'admin',
      summary: 'Switch several channels on (1) or off (2), all or none; data is their number',
      body: channelStatusBatchSchema,
      strictBody: true,
      answer: answers.data(z.number()),
      handle: ({ actor, body }) => channels.setStatus(actor, body.ids, body.status),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/copy/:id',
      access: 'admin',
      summary: 'Copy a channel together with its key; data is the copy',
      params: idParams,
      answer: answers.data(channelSchema),
      handle: ({ actor, params }) => channels.copy(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/fix',
      access: 'admin',
      summary: 'Repair what routing is made from; data is the number of channels that were wrong',
      answer: answers.data(z.number()),
      handle: ({ actor }) => channels.fixAbilities(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/:id/key',
      access: 'root',
      rate: 'critical',
      summary: "Show a channel's key to root, who sends the own password once more",
      params: idParams,
      body: channelRevealSchema,
      showsSecret: true,
      answer: answers.data(z.object({ key: z.string() })),
      async handle({ actor, params, body }) {
        await stepUp(actor, body.password);
        return { key: await channels.revealKey(actor, params.id) };
      },
    }),
  ];
}

const inLanguage =
  (language: Language) =>
  (channel: Channel): Channel =>
    language === 'zh' ? { ...channel, problem: knownTextZh(channel.problem) } : channel;
