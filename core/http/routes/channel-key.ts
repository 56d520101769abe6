import { z } from 'zod';
import {
  channelKeyAddSchema,
  channelKeyRemoveSchema,
  channelKeySchema,
  channelKeyStatusSchema,
} from '../../schemas/channel-key.ts';
import { idParams } from '../../schemas/query.ts';
import type { ChannelService } from '../../services/channel/channel.ts';
import { keyIn } from '../../services/channel/keys.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';
import { channelBodyBytes } from './channel.ts';

const keyList = responses.data(z.array(channelKeySchema));

/** The keys of one channel with several. Each route resolves with all of them as they are then; no route tells a key. */
export function channelKeyRoutes({ channels }: { channels: ChannelService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/channel/:id/keys',
      access: 'admin',
      params: idParams,
      response: keyList,
      handle: async ({ actor, params, language }) =>
        (await channels.listKeys(actor, params.id)).map((key) => keyIn(language, key)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/:id/keys',
      access: 'admin',
      bodyLimit: channelBodyBytes,
      params: idParams,
      body: channelKeyAddSchema,
      strictBody: true,
      response: keyList,
      handle: async ({ actor, params, body, language }) =>
        (await channels.addKeys(actor, params.id, body.key)).map((key) => keyIn(language, key)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/:id/keys/status',
      access: 'admin',
      params: idParams,
      body: channelKeyStatusSchema,
      strictBody: true,
      response: keyList,
      handle: async ({ actor, params, body, language }) =>
        (await channels.setKeyStatus(actor, params.id, body.keys, body.status)).map((key) => keyIn(language, key)),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/:id/keys/remove',
      access: 'admin',
      params: idParams,
      body: channelKeyRemoveSchema,
      strictBody: true,
      response: keyList,
      handle: async ({ actor, params, body, language }) =>
        (await channels.removeKeys(actor, params.id, body.keys)).map((key) => keyIn(language, key)),
    }),
  ];
}
