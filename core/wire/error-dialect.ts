import { anthropicErrorEvent, writeAnthropicError } from './anthropic-messages/error.ts';
import { cohereErrorEvent, writeCohereError } from './cohere-rerank/error.ts';
import type { ErrorReader } from './describe-error.ts';
import { geminiErrorEvent, writeGeminiError } from './gemini/error.ts';
import { streamErrorEvent, writeOpenAiError } from './openai-chat/error.ts';

/** Of the protocols that several kinds of call have in common. */
export type DialectName = 'openai' | 'anthropic' | 'gemini' | 'cohere';

export interface WrittenError {
  status: number;
  headers: Record<string, string>;
  body: object;
}

export interface ErrorDialect {
  /** A whole response. */
  write(error: unknown, reader: ErrorReader): WrittenError;
  /** The server-sent event that ends a stream which has begun. */
  event(error: unknown, reader: ErrorReader): string;
}

export const errorDialects: Readonly<Record<DialectName, ErrorDialect>> = {
  openai: { write: writeOpenAiError, event: streamErrorEvent },
  anthropic: { write: writeAnthropicError, event: anthropicErrorEvent },
  gemini: { write: writeGeminiError, event: geminiErrorEvent },
  cohere: { write: writeCohereError, event: cohereErrorEvent },
};

type HeaderMap = Readonly<Record<string, string | string[] | undefined>>;

/** Versions that Google alone has, and where it takes files. */
const geminiPath = /^\/(v1alpha|v1beta1?|upload\/v1(alpha|beta)?)\//;
/** Google's SDKs ask under /v1/ as well: `models/{model}:{action}`, and folders that no other vendor has. */
const geminiAction = /^\/v1\/(models|projects|publishers)\/.+:\w+$/;
const geminiFolder =
  /^\/v1\/(auth_tokens|cachedContents|corpora|fileSearchStores|interactions|operations|tunedModels)(\/|$)/;
/** Paths that more than one vendor has: the headers tell whose SDK asks. */
const sharedPath = /^\/v1\/(models|files|skills|batches)(\/|:|$)/;

/** Where a key may stand in the query, as Google has it; nowhere else, for proxies write it into their logs. */
export const takesQueryKey = (path: string): boolean =>
  geminiPath.test(path) || geminiAction.test(path) || /^\/v1\/models(\/|$)/.test(path);

/** Whose words a caller understands. `path` is without its query. */
export function dialectOf(path: string, headers: HeaderMap, query?: URLSearchParams): DialectName {
  if (path.startsWith('/v1beta/openai/')) return 'openai';
  if (geminiPath.test(path)) return 'gemini';
  if (/^\/v1\/messages(\/|$)/.test(path)) return 'anthropic';
  if (geminiAction.test(path) || geminiFolder.test(path)) return 'gemini';
  // Its SDK asks the older path too, which others share.
  if (path.startsWith('/v2/') || headers['x-fern-sdk-name'] === 'cohere-ai') return 'cohere';
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  if (!sharedPath.test(path)) return 'openai';
  if (headers['x-api-key'] !== undefined) return 'anthropic';
  return headers['x-goog-api-key'] !== undefined || query?.has('key') ? 'gemini' : 'openai';
}
