import { z } from 'zod';
import { channelStatus } from '../../schemas/channel-status.ts';
import { channelBatchTagSchema, channelTagEditSchema, channelTagSchema } from '../../schemas/channel-tag.ts';
import type { ChannelService } from '../../services/channel/channel.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';
import { channelBodyBytes } from './channel.ts';

/** What is done to all channels of a tag; data is their number. */
export function channelTagRoutes({ channels }: { channels: ChannelService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/channel/tag/enabled',
      access: 'admin',
      body: channelTagSchema,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.setTagStatus(actor, body.tag, channelStatus.enabled),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/tag/disabled',
      access: 'admin',
      body: channelTagSchema,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.setTagStatus(actor, body.tag, channelStatus.disabled),
    }),
    consoleRoute({
      method: 'PUT',
      path: '/api/channel/tag',
      access: 'admin',
      bodyLimit: channelBodyBytes,
      body: channelTagEditSchema,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.editTag(actor, body),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/channel/batch/tag',
      access: 'admin',
      body: channelBatchTagSchema,
      strictBody: true,
      response: responses.data(z.number()),
      handle: ({ actor, body }) => channels.setTagOf(actor, body),
    }),
  ];
}
