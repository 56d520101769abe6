import type { Rates } from '../../billing/price.ts';
import type { ChatFormat } from '../../canonical/chat-request.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { ProtocolName, RelayRequest } from '../../canonical/request.ts';
import type { AppError } from '../../errors/app-error.ts';
import type { HealthSpan } from '../../schemas/channel-health.ts';
import type { ConversationTurn } from '../../schemas/conversation-turn.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { Caller } from '../../services/caller.ts';
import type { ExplainedLimit } from './limits.ts';

/** What would happen to one call. */
export interface Explanation {
  caller: Pick<Caller, 'userId' | 'username' | 'tokenId' | 'tokenName' | 'group'>;
  protocol: ProtocolName;
  request: RelayRequest;
  /** Why the call would be refused, the first thing its client would be told first; empty when it would be served. */
  refusals: AppError[];
  /** The call names its channel, or continues a response stored on one. */
  pinned: boolean;
  /** How many more channels are tried when one fails. */
  retries: number;
  /** That apply to the call, in the order in which it meets them. */
  limits: ExplainedLimit[];
  /** Whether the open circuits of the process that serves calls were to be seen. */
  seesCircuits: boolean;
  channels: ExplainedChannel[];
  sent: ExplainedRequest | undefined;
  price: ExplainedPrice | undefined;
}

export interface ExplainedChannel {
  id: number;
  name: string;
  type: number;
  status: number;
  priority: number;
  weight: number;
  /** 1 for those of which one is tried first, 2 for those that follow when all of these failed, and so on; undefined = never. */
  turn: number | undefined;
  /** How likely it is the first of its turn. */
  chance: number;
  /** Set on the first when the conversation of the call decided. */
  conversation: ConversationTurn | undefined;
  /** How long a stream may take on it until its first token; undefined without a limit. */
  firstToken: FirstTokenLimit | undefined;
  /** Of this model in the last hour; undefined when it was not tried. */
  health: HealthSpan | undefined;
  /** What keeps it out, or behind others. */
  reasons: AppError[];
}

/** The request for the likeliest channel. Secrets are masked, nothing else is changed. */
export interface ExplainedRequest {
  channelId: number;
  channelName: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Who signs it when it is sent; '' when its headers say all. */
  signedBy: string;
  proxy: string;
  upstreamModel: string;
  upstreamProtocol: ProtocolName | ChatFormat;
  /** Keys of the body that the channel sets whatever the client says. */
  overridden: string[];
  losses: readonly Loss[];
  /** Addresses that would be read first; the body has notes in place of their contents. */
  fetched: string[];
  /** Byte for byte what goes out. */
  body: string;
}

export interface ExplainedPrice {
  rates: Rates;
  promptTokens: number;
  completionTokens: number;
  /** Quota held before the call goes out. */
  hold: number;
}
