import { isJsonObject } from '../lib/json-value.ts';
import { maskText, maxErrorText } from './mask-text.ts';

/** What upstreams call the words in which they say why something failed. */
const reasonNames: ReadonlySet<string> = new Set([
  ...['message', 'msg', 'error', 'error_message', 'description', 'detail', 'reason', 'fail_reason', 'failReason'],
]);
const deepest = 20;

/** What an upstream said of something that failed, with keys and addresses taken out of its reasons. All else stays as it is. */
export function maskReasons(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((one) => maskReasons(one, secrets, depth + 1));
  if (!isJsonObject(value)) return value;
  const masked = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' && reasonNames.has(name)
      ? maskReason(member, secrets)
      : maskReasons(member, secrets, depth + 1),
  ]);
  return Object.fromEntries(masked);
}

/** As it is where there is nothing to hide: it may be compared with what is known of the upstream. */
function maskReason(text: string, secrets: readonly string[]): string {
  const masked = maskText(text, secrets);
  const isClean = text.length <= maxErrorText && !/\*\*\*|\[(address|path)\]/.test(masked);
  return isClean ? text : masked;
}
