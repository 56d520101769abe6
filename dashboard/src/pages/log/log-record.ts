import type { ConversationTurn } from '../../../../core/schemas/conversation-turn.ts';
import type { FirstTokenLimit } from '../../../../core/schemas/first-token.ts';
import type { Log } from '../../../../core/schemas/log.ts';

/** What a log row keeps beyond its columns; rows of an imported database contain only some of it. */
export interface LogRecord {
  /** Milliseconds to the first token; negative when the response was not streamed. */
  frt?: number;
  duration_ms?: number;
  model_ratio?: number;
  completion_ratio?: number;
  group_ratio?: number;
  model_price?: number;
  cache_tokens?: number;
  cache_ratio?: number;
  ws?: boolean;
  protocol?: string;
  upstream_protocol?: string;
  upstream_model_name?: string;
  usage_source?: string;
  outcome?: string;
  /** Another upstream went on where one broke off. */
  rescued?: boolean;
  /** Of a call that failed: what its client was told. */
  status?: number;
  code?: string;
  flags?: string[];
  /** Of a paid job: what its vendor calls it, and what was asked for. */
  task_id?: string;
  action?: string;
  /** Of a refund: the request that was charged. */
  refunded_request_id?: string;
  /** A row of a test, from before tests had a type of their own. */
  channel_test?: boolean;
  conversion?: { field: string; kind: string }[];
  admin_info?: {
    use_channel?: (string | number)[];
    attempts?: Attempt[];
  };
}

interface Attempt {
  channel: number;
  /** Absent when the channel is gone. */
  name?: string;
  /** Which of several keys: `#2 …9f3c`. */
  key?: string;
  outcome: string;
  ms: number;
  /** Why its conversation was served here. */
  conversation?: ConversationTurn;
  /** How long it might take until its first token. */
  first_token?: FirstTokenLimit;
  /** Set on one that was asked for the rest of a response alone. */
  continued?: 'prefill' | 'instructed';
  spent?: Spent;
  message?: string;
}

/** Tokens that the operator pays for, and the client does not. */
interface Spent {
  prompt: number;
  completion: number;
}

export function readRecord({ other }: Pick<Log, 'other'>): LogRecord {
  try {
    const read: unknown = JSON.parse(other || '{}');
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {}; // an imported row contains whatever its program wrote
  }
}
