import type { ErrorContext, ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { defineHiddenErrors } from '../hidden-error-table.ts';

/** Spark sheet, codes of both interfaces. */
export const sparkRules: readonly ErrorRule[] = [
  // Our own clock is wrong: no key is to blame.
  { status: [401, 403], words: ['a valid date', 'clock'], kind: 'retry' },
  { codes: ['10015', '11500'], kind: 'dead' },
  { codes: ['10016', '11200', '11201'], kind: 'balance' },
  { codes: ['10013', '10014', '10019'], kind: 'policy' },
  { codes: ['10907'], kind: 'contextLength' },
  { codes: ['10003', '10004', '10005', '10163', '11501'], kind: 'client' },
  { codes: ['10000', '10001', '10002', '10006', '10007', '10008', '1000*', '1001*'], kind: 'retry' },
  { codes: ['10110', '10222', '11202', '11203'], kind: 'retry' },
  { status: [403], kind: 'dead' },
];

const hidden = defineHiddenErrors({ read, rules: sparkRules, limits: ['10007', '10008', '11202', '11203'] });

export const { hiddenErrorStatus } = hidden;

/** A signature counts for five minutes. */
const signatureMs = 300_000;

export function readSparkError(
  status: number,
  body: unknown,
  headers: HeaderMap,
  context?: ErrorContext,
): UpstreamError {
  const isRefused = status === 401 || status === 403;
  if (!isRefused || !isClockWrong(headers, context)) return hidden.readError(status, body, headers, context);
  return new UpstreamError({ status: 503, coded: coded('upstream.clockWrong'), kind: 'retry' });
}

/** A refusal tells the vendor's own time. */
function isClockWrong({ date }: HeaderMap, context: ErrorContext | undefined): boolean {
  const theirs = Date.parse(String(date));
  return context?.now !== undefined && Number.isFinite(theirs) && Math.abs(theirs - context.now) > signatureMs;
}

function read(body: unknown) {
  const { code, message } = recordOf(recordOf(body).header);
  return typeof code === 'number' && code !== 0 ? { code, message: textOf(message) } : undefined;
}
