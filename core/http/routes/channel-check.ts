import { z } from 'zod';
import { modelFetchSchema } from '../../schemas/channel.ts';
import { idParams } from '../../schemas/query.ts';
import type { ChannelBalanceService } from '../../services/channel/balance.ts';
import type { ChannelCheckService } from '../../services/channel/check.ts';
import type { ChannelModelService } from '../../services/channel/model.ts';
import { wordsIn } from '../../text/text.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';
import { channelBodyBytes } from './channel.ts';

interface ChannelCheckRouteDependencies {
  channelChecks: ChannelCheckService;
  channelBalances: ChannelBalanceService;
  channelModels: ChannelModelService;
}

const testQuery = z.object({ model: z.string().trim().max(255).optional() });
const testResponse = z.object({
  success: z.boolean(),
  /** What the upstream said when it refused. */
  message: z.string(),
  /** Seconds, with milliseconds. */
  time: z.number(),
});
const progressResponse = z.object({
  running: z.boolean(),
  tested: z.number(),
  /** Channels the run began with; those removed meanwhile are never tested. */
  total: z.number(),
  failed: z.array(z.object({ id: z.number(), name: z.string(), reason: z.string() })),
  disabled: z.number(),
  enabled: z.number(),
  /** False with `running` false: the run was stopped, or its server is gone. */
  finished: z.boolean(),
});
const balanceProgressResponse = z.object({
  running: z.boolean(),
  /** Channels the run is through with, and how many there were when it began. */
  asked: z.number(),
  total: z.number(),
  updated: z.number(),
  failed: z.array(z.object({ id: z.number(), name: z.string(), reason: z.string() })),
  disabled: z.number(),
  finished: z.boolean(),
});
const balanceResponse = z.object({
  success: z.literal(true),
  message: z.literal(''),
  /** US dollars. */
  balance: z.number(),
});

/** Calls to the upstreams themselves: is it there, what is left, what does it serve. */
export function channelCheckRoutes(dependencies: ChannelCheckRouteDependencies): ConsoleRoute[] {
  const { channelChecks, channelBalances, channelModels } = dependencies;
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/channel/test/:id',
      access: 'admin',
      params: idParams,
      query: testQuery,
      response: responses.whole(testResponse),
      async handle({ actor, params, query, language }) {
        const { ok, ms, reason } = await channelChecks.test(actor, params.id, query.model);
        return { success: ok, message: wordsIn(language, reason), time: ms / 1000 };
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/test',
      access: 'admin',
      response: responses.empty,
      handle: ({ actor }) => channelChecks.startTestAll(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/test/progress',
      access: 'admin',
      response: responses.data(progressResponse),
      async handle({ actor, language }) {
        const { failed, ...progress } = await channelChecks.progress(actor);
        return { ...progress, failed: failed.map((one) => ({ ...one, reason: wordsIn(language, one.reason) })) };
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/update_balance/progress',
      access: 'admin',
      response: responses.data(balanceProgressResponse),
      async handle({ actor, language }) {
        const { failed, ...progress } = await channelBalances.progress(actor);
        return { ...progress, failed: failed.map((one) => ({ ...one, reason: wordsIn(language, one.reason) })) };
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/update_balance/:id',
      access: 'admin',
      params: idParams,
      response: responses.whole(balanceResponse),
      async handle({ actor, params }) {
        return { success: true, message: '', balance: await channelBalances.updateBalance(actor, params.id) };
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/update_balance',
      access: 'admin',
      query: z.object({ wait: z.string().optional() }),
      response: responses.empty,
      async handle({ actor, query }) {
        await (query.wait === 'false'
          ? channelBalances.startUpdateBalances(actor)
          : channelBalances.updateBalances(actor));
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/channel/fetch_models/:id',
      access: 'admin',
      params: idParams,
      response: responses.data(z.array(z.string())),
      handle: ({ actor, params }) => channelModels.ofChannel(actor, params.id),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/fetch_models',
      access: 'admin',
      bodyLimit: channelBodyBytes,
      body: modelFetchSchema,
      strictBody: true,
      response: responses.data(z.array(z.string())),
      handle: ({ actor, body }) => channelModels.ofInput(actor, body),
    }),
  ];
}
