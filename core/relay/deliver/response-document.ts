import type { ResponseIdentity } from '../../canonical/chat-codec.ts';
import { chatProtocols } from '../../canonical/chat-request.ts';
import type { ProtocolName } from '../../canonical/request.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { parseJsonExactly } from '../../lib/json-step-parse.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import { toolsIn } from '../../wire/openai-responses/tools-in.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import type { Run } from '../run.ts';
import { errorOf, type PreparedAttempt } from '../run.ts';

/** JSON that calls itself something else: a browser that opens it would run what a model wrote as a page. */
export function isMistyped({ name }: Protocol, response: UpstreamResponse): boolean {
  const contentType = contentTypeOf(response);
  return contentType.includes('html') || (alwaysJson.has(name) && !contentType.includes('json'));
}

export function contentTypeOf({ headers }: UpstreamResponse): string {
  return String(headers['content-type'] ?? '').toLowerCase();
}

export function responseIdentity({ run, created }: Pick<PreparedAttempt, 'run' | 'created'>): ResponseIdentity {
  return { id: run.call.id, model: run.request.model, created };
}

export function refuseHiddenError(attempt: PreparedAttempt, json: unknown): void {
  if (attempt.adapter.hiddenErrorStatus(json) !== undefined) throw errorOf(attempt, json);
}

/** A document that has nothing of a response in it is a failure, and not a response of no text. */
export function refuseHollow({ run, conversion, common }: PreparedAttempt, response: unknown): void {
  const { isResponse } = conversion?.upstream ?? (common ? protocols[common.protocol] : run.call.protocol);
  if (isResponse && !isResponse(response)) throw notAResponse('upstream.hollow');
}

/** Responses of these protocols are always JSON; the others may be sound or plain text. */
export const alwaysJson: ReadonlySet<ProtocolName> = new Set<ProtocolName>([
  ...chatProtocols,
  'openai-completion',
  'openai-embedding',
  'gemini-embedding',
  'openai-moderation',
  'openai-image',
  'openai-image-edit',
  'rerank',
  'cohere-rerank',
]);

export function isPage(body: Buffer): boolean {
  return /^\s*<(!doctype )?html\b/i.test(body.toString('latin1', 0, 256));
}

export function notAResponse(key: DetailKey, cause?: unknown): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_bad_answer',
    coded: coded(key),
    kind: 'retry',
    cause,
  });
}

export function parseDocument(body: Buffer, parse: (text: string) => unknown = parseJsonExactly): unknown {
  try {
    return parse(withoutByteOrderMark(body).toString('utf8'));
  } catch (error) {
    throw notAResponse(
      body.toString('latin1', 0, 64).trimStart().startsWith('<') ? 'upstream.webPage' : 'upstream.brokenJson',
      error,
    );
  }
}

/**
 * Whether the upstream may use tools of its own whose uses stand all over its response: such a response is read whole, however long
 * its pictures make it, because the uses are billed. Anthropic counts them at the end, with the tokens. A request too long to be
 * looked through may ask for them.
 */
export function mayUseHostedTools({ call, json }: Pick<Run, 'call' | 'json'>): boolean {
  const { name } = call.protocol;
  if (name !== 'openai-responses' && name !== 'gemini') return false;
  return json === undefined || toolsIn(json).some(isHosted);
}

/** The client's own tools are functions, custom tools and, for Google, declarations. */
function isHosted(tool: JsonObject): boolean {
  if (tool.type === 'function' || tool.type === 'custom') return false;
  return Object.keys(tool).some((key) => key !== 'functionDeclarations' && key !== 'function_declarations');
}
