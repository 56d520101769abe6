import type { FinishReason } from '../../canonical/chat-event.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { coded } from '../../text/coded.ts';

const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
  'JAILBREAK',
  'ESCALATION',
  'PUP_LIMITED_DISABLED',
]);
/** The model failed at its own tools: worth another try while nothing was sent. */
const failedCalls = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);
/** There is more to be said, but not in this response. */
const cut = new Set(['MAX_TOKENS', 'CONTINUATION']);

/** What a response that says nothing failed with; undefined when its reason is one to end with. */
export function failureOf(reason: string | undefined): UpstreamError | undefined {
  if (reason === undefined) return undefined;
  const words = coded('upstream.endedWith', { code: reason });
  if (failedCalls.has(reason))
    return new UpstreamError({ status: 502, code: reason, coded: coded('upstream.toolFailed'), kind: 'retry' });
  if (reason === 'MALFORMED_RESPONSE')
    return new UpstreamError({ status: 502, code: reason, coded: words, kind: 'retry' });
  // The conversation that the client sent has lost it: no other channel would see it either.
  return reason === 'MISSING_THOUGHT_SIGNATURE'
    ? new UpstreamError({ status: 400, code: reason, coded: words, kind: 'client' })
    : undefined;
}

/** Google says STOP when tools are called, and may say it in a later chunk; a cut or filtered response stays one anyway. */
export function mapFinishReason(reason: string, calledTool: boolean): FinishReason {
  if (cut.has(reason)) return 'length';
  if (filtered.has(reason)) return 'filter';
  return calledTool ? 'tool' : 'stop';
}
