import { isJsonObject, type JsonObject } from '../lib/json-value.ts';

/** What an upstream says about a failure, whatever shape it says it in. */
export interface ErrorFacts {
  message: string;
  type: string | undefined;
  code: string | number | null | undefined;
  param: string | null | undefined;
  /** Further codes on the way down: Azure's inner error, Google's status, FastGPT's statusText, Anthropic's details. */
  innerCodes: string[];
  /** The upstream sent an error object of the OpenAI shape, whose members may go to the client. */
  isOpenAi: boolean;
}

/** Reads the shapes of the provider sheets: OpenAI, Azure, Google, Cloudflare, MiniMax, FastGPT, validation lists, plain text, HTML. */
export function readErrorBody(body: unknown): ErrorFacts {
  if (typeof body === 'string') return { ...nothing, message: textMessage(body) };
  if (Array.isArray(body)) return readErrorBody(body[0] ?? null);
  if (!isJsonObject(body)) return nothing;
  if (isJsonObject(body.error)) return openAiFacts(body.error, body);
  const response = isJsonObject(body.response) ? body.response : {};
  if (isJsonObject(response.error)) return openAiFacts(response.error, body);
  const base = isJsonObject(body.base_resp) ? body.base_resp : {};
  const header = isJsonObject(body.header) ? body.header : {};
  const listed = Array.isArray(body.errors) && isJsonObject(body.errors[0]) ? body.errors[0] : {};
  return {
    message:
      firstText(body.error, body.message, body.msg, body.err, body.error_msg, base.status_msg) ||
      firstText(header.message, listed.message, body.detail, body.errors, body.statusText),
    type: textOf(body.type),
    code: codeOf(base.status_code) ?? codeOf(listed.code) ?? codeOf(body.code) ?? codeOf(body.error_code),
    param: textOf(body.param),
    innerCodes: codes(body.statusText, body.status),
    isOpenAi: false,
  };
}

const nothing: ErrorFacts = {
  message: '',
  type: undefined,
  code: undefined,
  param: undefined,
  innerCodes: [],
  isOpenAi: false,
};

function openAiFacts(error: JsonObject, body: JsonObject): ErrorFacts {
  const inner = isJsonObject(error.innererror) ? error.innererror : {};
  const metadata = isJsonObject(error.metadata) ? error.metadata : {};
  const details = isJsonObject(error.details) ? error.details : {};
  return {
    message: firstText(error.message, error.msg, body.message),
    type: textOf(error.type),
    code: codeOf(error.code),
    param: textOf(error.param),
    innerCodes: codes(inner.code, error.status, metadata.limit_source, details.error_code),
    isOpenAi: true,
  };
}

function codes(...values: unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

function firstText(...values: unknown[]): string {
  for (const value of values) {
    const text = describe(value);
    if (text !== '') return text;
  }
  return '';
}

/** A message may itself be an object or a list of validation errors. */
function describe(value: unknown): string {
  if (typeof value === 'string') return textMessage(value);
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.slice(0, 5).map(describeItem).filter(Boolean).join('; ');
  return 'detail' in value ? describe(value.detail) : JSON.stringify(value).slice(0, 4000);
}

function describeItem(item: unknown): string {
  if (!isJsonObject(item)) return typeof item === 'string' ? textMessage(item) : '';
  const where = Array.isArray(item.loc) ? `${item.loc.slice(0, 10).join('.')}: ` : '';
  return where + describe(item.msg ?? item.message ?? '');
}

/** Proxies in between respond with pages; their title is the only line worth showing. */
function textMessage(text: string): string {
  const start = text.slice(0, 16_384).trim();
  if (!start.startsWith('<')) return start;
  const title = /<(?:title|h1)[^<>]*>([^<]*)</i.exec(start)?.[1];
  return (title ?? start.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 256) : undefined;
}

function codeOf(value: unknown): string | number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : textOf(value);
}
