import { classifyUpstream, type ErrorRule } from '../errors/classify-upstream.ts';
import { errorStatusIn } from '../wire/hidden-error.ts';
import type { ProviderAdapter } from './adapter.ts';
import { statusOfKind } from './compatible.ts';

/** How a vendor fails that responds with HTTP 200 anyway. */
export interface HiddenErrorTable {
  /** The vendor's own error, undefined for bodies of another shape. */
  read(body: unknown): { code: string | number; message: string } | undefined;
  rules: readonly ErrorRule[];
  /** Codes of limits that a short wait lifts; a trailing `*` matches any ending. */
  limits: readonly string[];
}

const unavailable = 503;
const tooMany = 429;

/** The status such an error would have had, which the general rules then go by. */
export function defineHiddenErrors(table: HiddenErrorTable): Pick<ProviderAdapter, 'readError' | 'hiddenErrorStatus'> {
  const { read, rules, limits } = table;
  return {
    readError: (status, body, headers, context) =>
      classifyUpstream({ status, body: read(body) ?? body, headers }, rules, context),
    hiddenErrorStatus(body) {
      const error = read(body);
      if (!error) return errorStatusIn(body);
      const { kind } = classifyUpstream({ status: unavailable, body: error, headers: {} }, rules);
      if (kind !== 'retry') return statusOfKind[kind];
      return limits.some((limit) => matches(limit, String(error.code))) ? tooMany : unavailable;
    },
  };
}

function matches(limit: string, code: string): boolean {
  return limit.endsWith('*') ? code.startsWith(limit.slice(0, -1)) : code === limit;
}
