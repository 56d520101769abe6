import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { type JsonKeyRule, TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { parseJsonInSteps } from '../../lib/json-step-parse.ts';
import { coded } from '../../text/coded.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { parsedBytes } from '../limit/memory-budget.ts';
import type { PreparedAttempt, Run } from '../run.ts';
import { tailBytes } from './deliver-plain.ts';
import { notAResponse } from './response-document.ts';

/** A longer response is read in steps. */
export const longResponseBytes = 1024 * 1024;
const responseTurnBytes = 256 * 1024;
/** Embeddings have millions of numbers, of which four are one value. */
const maxResponseValues = 1_000_000;
const responseRule: JsonKeyRule = {
  isForbidden: false,
  countsStrings: false,
  countsKeys: false,
  maxCount: Number.POSITIVE_INFINITY,
};

const noRoom = 'server_overloaded';

/** In steps, and only while there is room for what is made of it. Throws UpstreamError. */
export async function parseLongDocument({ run }: PreparedAttempt, body: Buffer): Promise<unknown> {
  try {
    const scanner = new TopLevelScanner({ ruleFor: () => responseRule, maxValues: maxResponseValues });
    for (let at = 0; at < body.length; at += responseTurnBytes) {
      scanner.push(body.subarray(at, at + responseTurnBytes));
      await nextTurn();
    }
    reserveForResponse(run, parsedBytes(body.length, scanner.end().values));
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    throw notAResponse(error.fault === 'tooMany' ? 'upstream.tooManyValues' : 'upstream.brokenJson', error);
  }
  return parseJsonInSteps(body);
}

/** Memory for a response; a lack of it says nothing about the channel, and another channel would not help. */
export function reserveForResponse({ body }: Pick<Run, 'body'>, bytes: number): void {
  try {
    body.room.take(bytes);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UpstreamError({
      status: 503,
      code: noRoom,
      coded: coded('upstream.tooBusy'),
      kind: 'client',
      ...(cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
      cause,
    });
  }
}

/** Whether a long response was not read for want of memory alone. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof UpstreamError && error.code === noRoom;
}

/** Of a long response that is not parsed: its usage is at its end. */
export function usageInTail(tail: Buffer, { usageMember = 'usage', readUsage }: Protocol): Usage | undefined {
  const text = tail.subarray(-tailBytes).toString('utf8');
  const start = text.lastIndexOf(`"${usageMember}"`);
  const object =
    start < 0 ? undefined : /^"\w+"\s*:\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*){0,8}\})/.exec(text.slice(start, start + 4096));
  if (!object?.[1]) return undefined;
  try {
    // The tier that served the call decides its price. Elsewhere the same words may be the client's own, repeated.
    const tier = /^\s*,\s*"service_tier"\s*:\s*"(\w+)"/.exec(text.slice(start + object[0].length))?.[1];
    return readUsage({ [usageMember]: JSON.parse(object[1]), service_tier: tier });
  } catch {
    // Not the usage object after all: the response is counted instead.
    return undefined;
  }
}
