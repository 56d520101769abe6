import type { CacheMark, ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { isJsonObject, type JsonObject, recordsOf } from '../../lib/json-value.ts';
import { flatMapInSteps, type Steps } from '../../lib/steps.ts';

/** Anthropic refuses a request with more. */
const maxMarks = 4;

export function writeMark(mark: CacheMark): JsonObject {
  return mark === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}

/** `cache_control` of a block, nothing when it has no mark. */
export function markOf({ cache }: { cache?: CacheMark }): JsonObject {
  return cache ? { cache_control: writeMark(cache) } : {};
}

/**
 * Keeps the last four marks, whose prefixes hold the others', and lets none that lasts an hour follow one that lasts five
 * minutes: both are refused.
 */
export function* limitCacheMarks(body: JsonObject, { origin }: ChatRequest, losses: Losses): Steps<void> {
  const holders = [{ content: body.tools }, { content: body.system }, ...recordsOf(body.messages)];
  const marked = yield* flatMapInSteps(holders, ({ content }) =>
    recordsOf(content).filter(({ cache_control }) => cache_control !== undefined),
  );
  const room = body.cache_control === undefined ? maxMarks : maxMarks - 1;
  for (const block of marked.splice(0, Math.max(0, marked.length - room))) {
    delete block.cache_control;
    losses.drop(clientField(origin, 'cacheMark'));
  }
  let sawShort = false;
  for (const block of marked) {
    const isHour = isJsonObject(block.cache_control) && block.cache_control.ttl === '1h';
    if (isHour && sawShort) {
      block.cache_control = writeMark('5m');
      losses.emulate(clientField(origin, 'cacheMark'));
    }
    sawShort ||= !isHour;
  }
}
