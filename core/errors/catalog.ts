import { accountErrors } from './catalog/account.ts';
import { archiveErrors } from './catalog/archive.ts';
import { billingErrors } from './catalog/billing.ts';
import { bodyErrors } from './catalog/body.ts';
import { channelErrors } from './catalog/channel.ts';
import { chatErrors } from './catalog/chat.ts';
import { explainErrors } from './catalog/explain.ts';
import { installationErrors } from './catalog/installation.ts';
import { limitErrors } from './catalog/limit.ts';
import { logStoreErrors } from './catalog/log-store.ts';
import { moveErrors } from './catalog/move.ts';
import { optionErrors } from './catalog/option.ts';
import { outsideErrors } from './catalog/outside.ts';
import { realtimeErrors } from './catalog/realtime.ts';
import { relayErrors } from './catalog/relay.ts';
import { taskErrors } from './catalog/task.ts';
import { terminalErrors } from './catalog/terminal.ts';
import { upkeepErrors } from './catalog/upkeep.ts';
import { walletErrors } from './catalog/wallet.ts';

/** Every error there is, by code; a code is in the file of its subject. */
export const catalog = {
  ...installationErrors,
  ...accountErrors,
  ...billingErrors,
  ...bodyErrors,
  ...channelErrors,
  ...explainErrors,
  ...chatErrors,
  ...limitErrors,
  ...archiveErrors,
  ...logStoreErrors,
  ...moveErrors,
  ...optionErrors,
  ...outsideErrors,
  ...realtimeErrors,
  ...relayErrors,
  ...taskErrors,
  ...terminalErrors,
  ...upkeepErrors,
  ...walletErrors,
} as const;

export type ErrorCode = keyof typeof catalog;
