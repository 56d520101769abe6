import { z } from 'zod';
import { channelStatus } from './channel-status.ts';

/** How a channel with several keys chooses one for a call: at random, or each in its turn. */
export const channelKeyModes = ['random', 'polling'] as const;
export type ChannelKeyMode = (typeof channelKeyModes)[number];

export const channelKeyModeSchema = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  z.enum(channelKeyModes).optional(),
);

/** More would make every reading of the channel slow. */
export const maxChannelKeys = 1000;

/** One key of a channel with several, as it is shown: never the key itself. */
export const channelKeySchema = z.object({
  /** Given once and never to another key of the channel, so that records go on naming the right one. */
  id: z.number(),
  /** Its last four characters; '' for a key too short to show them. */
  ends: z.string(),
  status: z.number(),
  /** Why it went off by itself; '' otherwise. */
  reason: z.string(),
  /** Unix seconds at which it was switched off; 0 = it is on, or unknown. */
  time: z.number(),
  /** Why the keys of the channel cannot be decrypted; absent where they can. */
  key_problem: z.string().optional(),
});
export type ChannelKey = z.output<typeof channelKeySchema>;

/** The same form as for a new channel: one a line; for documents a JSON array, or one a line. */
export const channelKeyAddSchema = z.object({ key: z.string().min(1).max(1_000_000) });

const keyIds = z.array(z.number().int().positive()).min(1).max(maxChannelKeys);

export const channelKeyRemoveSchema = z.object({ keys: keyIds });

export const channelKeyStatusSchema = z.object({
  keys: keyIds,
  status: z.literal([channelStatus.enabled, channelStatus.disabled]),
});
