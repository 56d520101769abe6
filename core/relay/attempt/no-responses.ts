import { AppError } from '../../errors/app-error.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { SentAttempt } from '../run.ts';

/** What servers say of a path they do not have; 501 comes from those that know its name alone. */
const pathStatuses: ReadonlySet<number> = new Set([404, 405, 501]);
/** A refusal that names one of these is about what was asked for, not about the path. */
const namedThing = /model|deployment|conversation|previous|prompt|\bitem|\bfile[-_]|resp_/i;
/** The setting that spares such a channel (providers/openai/chat-protocol.ts). */
const withoutResponses = { responses: false };

/**
 * A compatible server behind a channel's own address often has no Responses API. Its "not found" does not tell the operator what to
 * do, and says nothing about the channel's health: its chat works. Undefined for any other refusal.
 */
export function noResponses(
  { channel, adapter, upstreamModel, built }: SentAttempt,
  status: number,
  { kind, message, param }: UpstreamError,
): AppError | undefined {
  if (!pathStatuses.has(status) || kind !== 'retry' || channel.base_url === '') return undefined;
  if (!new URL(built.request.url).pathname.endsWith('/responses')) return undefined;
  const setting = { ...channel.setting, ...withoutResponses };
  const others = adapter.chatProtocols?.(upstreamModel, { ...channel, setting });
  if (!others || others.includes('openai-responses')) return undefined;
  if (param || (namedThing.test(message) && !message.includes('/responses'))) return undefined;
  return new AppError('upstream.noResponses', { status, setting: JSON.stringify(withoutResponses) });
}
