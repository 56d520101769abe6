import { defaultDisableKeywords } from '../schemas/option/operation.ts';
import { maskText } from './mask-text.ts';
import { type ErrorFacts, readErrorBody } from './read-error-body.ts';
import { type HeaderMap, readRetryAfter } from './retry-after.ts';
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts';

/** One line of a vendor's error table. Every condition that is given must be true; the first line that fits decides. */
export interface ErrorRule {
  status?: readonly number[];
  /** The error's code, type or inner code, compared without case; a trailing `*` matches any ending. */
  codes?: readonly string[];
  /** Looked for in the message, lower case. */
  words?: readonly string[];
  hasRetryAfter?: boolean;
  kind: UpstreamErrorKind;
  /** The token given for the channel's key has ended: the call goes out once more with a new one. */
  renewsCredential?: boolean;
  /** The model is not reached this way: the call goes out once more with the vendor's next profile. */
  refusesProfile?: boolean;
}

export interface ErrorContext {
  /** Unix ms, to read a Retry-After that is a date. */
  now?: number;
  /** The option AutomaticDisableKeywords, one entry per line of it. */
  disableKeywords?: readonly string[];
  /** Texts that must not reach a client: the channel's key, its host. */
  secrets?: readonly string[];
}

/** Turns an upstream's refusal into the one error the relay acts on. Vendor rules go before the general ones. */
export function classifyUpstream(
  { status, body, headers }: { status: number; body: unknown; headers: HeaderMap },
  rules: readonly ErrorRule[] = [],
  { now, disableKeywords = defaultDisableKeywords, secrets }: ErrorContext = {},
): UpstreamError {
  const facts = readErrorBody(body);
  const retryAfterSeconds = readRetryAfter(headers, now);
  const words = facts.message.toLowerCase();
  const asked = { status, facts, words, ownWords: unquoted(words), retryAfterSeconds };
  const rule = [...rules, ...generalRules].find((line) => fits(line, asked));
  const kind = rule?.kind ?? keywordKind(asked, disableKeywords) ?? kindOfStatus(status);
  return new UpstreamError({
    status: clientStatus(status, kind),
    message: maskText(facts.message, secrets) || `bad response status code ${status}`,
    type: facts.isOpenAi ? masked(facts.type, secrets) : undefined,
    code:
      facts.isOpenAi && typeof facts.code === 'string'
        ? masked(facts.code, secrets)
        : facts.isOpenAi
          ? facts.code
          : undefined,
    param: facts.isOpenAi ? (masked(facts.param ?? undefined, secrets) ?? null) : undefined,
    kind,
    lasting: isRedirect(status),
    retryAfterSeconds,
    renewsCredential: rule?.renewsCredential,
    refusesProfile: rule?.refusesProfile,
    refusesStreamOptions: refusesStreamOptions(facts, kind),
  });
}

/** Whatever the status: channels map theirs, and some servers return 500 for a field they do not know. */
function refusesStreamOptions({ message, param }: ErrorFacts, kind: UpstreamErrorKind): boolean {
  const isOther = kind === 'dead' || kind === 'balance' || kind === 'policy';
  return !isOther && [message, param].some((text) => text && /stream_options|include_usage/.test(text));
}

interface Asked {
  status: number;
  facts: ErrorFacts;
  words: string;
  ownWords: string;
  retryAfterSeconds: number | undefined;
}

const refusals = [400, 413, 422];

const generalRules: readonly ErrorRule[] = [
  { codes: ['insufficient_quota', 'insufficient_user_quota', 'credit_balance_exhausted'], kind: 'balance' },
  { codes: ['billing_hard_limit_reached', 'billing_not_active', 'arrearage'], kind: 'balance' },
  {
    codes: ['invalid_api_key', 'account_deactivated', 'organization_restricted', 'authentication_error'],
    kind: 'dead',
  },
  { codes: ['permission_error', 'forbidden'], kind: 'dead' },
  { status: refusals, codes: ['context_length_exceeded', 'model_context_window_exceeded'], kind: 'contextLength' },
  {
    status: refusals,
    words: ['maximum context length', 'context window', 'context length', 'prompt is too long'],
    kind: 'contextLength',
  },
  {
    status: [400, 403, 451],
    codes: [
      'content_filter',
      'content_policy_violation',
      'responsibleaipolicyviolation',
      'image_content_policy_violation',
      'moderation_blocked',
      'data_inspection_failed',
      'bio_policy',
    ],
    kind: 'policy',
  },
  { status: [451], kind: 'policy' },
  { status: [401], kind: 'dead' },
  { status: [402], kind: 'balance' },
];

function fits(rule: ErrorRule, { status, facts, words, ownWords, retryAfterSeconds }: Asked): boolean {
  if (rule.status && !rule.status.includes(status)) return false;
  if (rule.hasRetryAfter !== undefined && rule.hasRetryAfter !== (retryAfterSeconds !== undefined)) return false;
  const text = rule.kind === 'dead' || rule.kind === 'balance' ? ownWords : words;
  if (rule.words && !rule.words.some((word) => text.includes(word))) return false;
  return !rule.codes || rule.codes.some((code) => matchesCode(code.toLowerCase(), facts));
}

function matchesCode(code: string, { type, code: own, innerCodes }: ErrorFacts): boolean {
  return [own, type, ...innerCodes].some((given) => {
    if (given === undefined || given === null) return false;
    const text = String(given).toLowerCase();
    return code.endsWith('*') ? text.startsWith(code.slice(0, -1)) : text === code;
  });
}

/** Words about money; the same channel may come back when someone has paid. */
const balanceWords = /credit|balance|quota|billing|欠费|余额/;

/** What is in quotes is the caller's own text: a caller must not disable a channel by naming a tool "permission denied". */
function unquoted(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, ' ');
}

function keywordKind({ status, ownWords }: Asked, keywords: readonly string[]): UpstreamErrorKind | undefined {
  // An upstream's own trouble says nothing about the key.
  if (status >= 500) return undefined;
  for (const keyword of keywords) {
    const words = keyword.trim().toLowerCase();
    if (words !== '' && ownWords.includes(words)) return balanceWords.test(words) ? 'balance' : 'dead';
  }
  return undefined;
}

/** The same call would be refused anywhere. */
const finalStatuses: ReadonlySet<number> = new Set([400, 413, 414, 415, 416, 422, 431]);

function kindOfStatus(status: number): UpstreamErrorKind {
  return finalStatuses.has(status) ? 'client' : 'retry';
}

/** Never followed: it says nothing of the call, but that its channel leads elsewhere, such as to a page to sign in. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function clientStatus(status: number, kind: UpstreamErrorKind): number {
  if (kind === 'policy') return 400;
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502;
}

function masked(text: string | undefined, secrets: readonly string[] | undefined): string | undefined {
  return text === undefined ? undefined : maskText(text, secrets);
}
