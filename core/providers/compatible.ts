import { type Loss, Losses } from '../canonical/loss.ts';
import type { ProtocolName } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import { classifyUpstream, type ErrorRule } from '../errors/classify-upstream.ts';
import type { UpstreamErrorKind } from '../errors/upstream-error.ts';
import { errorStatusIn } from '../wire/hidden-error.ts';
import { readRerankResponse } from '../wire/rerank/read-response.ts';
import type { BalanceQuery, ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from './adapter.ts';
import { joinUrl, trimSlash } from './base-url.ts';
import { BodyEdits, editModel, editStreamOptions } from './body-edit.ts';
import { jsonSchemaOf } from './json-schema-prompt.ts';
import { fixMessages, type MessageRules } from './message-fix.ts';
import { readModelNames } from './model-list.ts';

export const everyProtocol: readonly ProtocolName[] = [
  'openai-chat',
  'openai-completion',
  'openai-embedding',
  'openai-moderation',
  'openai-image',
  'openai-image-edit',
  'openai-speech',
  'openai-transcription',
  'openai-translation',
  'rerank',
];

/** A vendor that speaks the OpenAI format, told by how it differs. */
export interface CompatibleProvider {
  name: string;
  label: string;
  /** '' when the operator must give one. */
  defaultBaseUrl: string;
  protocols: readonly ProtocolName[];
  /** Knows the developer role and max_completion_tokens as OpenAI does; else the older names are used. */
  speaksOpenAi?: boolean;
  /** Replaces base + client path. */
  url?(base: string, call: UpstreamCall, channel: ChannelTarget): string;
  /** Beside or instead of the Bearer key; an empty value takes a header out. */
  headers?(channel: ChannelTarget, call: UpstreamCall): Record<string, string>;
  /** Of every request, the list of models too. */
  accountHeaders?(channel: ChannelTarget): Record<string, string>;
  /** Hints the vendor does not know: taken out silently. */
  unsupported?: readonly string[];
  /** What changes the response the client relies on: refused instead of taken out. */
  refused?: readonly string[];
  /** Further changes of this vendor; returns the model's name for the upstream. */
  adjust?(edits: BodyEdits, call: UpstreamCall): string | undefined;
  messages?: MessageRules;
  /** Whether the relay has to fetch a picture that a client names by this address, because the vendor does not. */
  inlinesMedia?(url: string): boolean;
  errors?: readonly ErrorRule[];
  usageIsFake?: boolean;
  mendsResponses?: boolean;
  chatProtocols?: ProviderAdapter['chatProtocols'];
  writeContext?: ProviderAdapter['writeContext'];
  continuesTurn?: ProviderAdapter['continuesTurn'];
  /** Where the model list is; null without one. Default: `/v1/models`. */
  modelsUrl?: ((base: string, channel: ChannelTarget) => string) | null;
  check?: ProviderAdapter['check'];
  balance?(base: string, key: string, today: string, yuanPerDollar: number | undefined): BalanceQuery;
}

export function defineCompatibleProvider(provider: CompatibleProvider): ProviderAdapter {
  const { modelsUrl = (base) => joinUrl(base, '/v1/models'), balance } = provider;
  const adapter: ProviderAdapter = {
    name: provider.name,
    label: provider.label,
    defaultBaseUrl: provider.defaultBaseUrl,
    protocols: new Set(provider.protocols),
    buildRequest: (call, channel) => buildRequest(provider, call, channel),
    readError: (status, body, headers, context) =>
      classifyUpstream({ status, body, headers }, provider.errors, context),
    hiddenErrorStatus: (body) => hiddenErrorStatus(provider, body),
    needsBody: (protocol) => protocol === 'rerank',
    usageIsFake: provider.usageIsFake ?? false,
    mendsResponses: provider.mendsResponses ?? false,
    ...(provider.check && { check: provider.check }),
    ...(provider.inlinesMedia && { inlinesMedia: provider.inlinesMedia }),
    ...(provider.chatProtocols && { chatProtocols: provider.chatProtocols }),
    ...(provider.writeContext && { writeContext: provider.writeContext }),
    ...(provider.continuesTurn && { continuesTurn: provider.continuesTurn }),
  };
  if (modelsUrl) {
    adapter.modelList = (channel) => ({
      url: modelsUrl(baseOf(provider, channel), channel),
      headers: keyHeaders(provider, channel),
      read: readModelNames,
    });
  }
  if (balance) {
    adapter.balance = (channel, today, yuanPerDollar) =>
      balance(baseOf(provider, channel), channel.key, today, yuanPerDollar);
  }
  return adapter;
}

function buildRequest(provider: CompatibleProvider, call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (!provider.protocols.includes(call.protocol))
    throw new AppError('provider.notOffered', { provider: provider.label, path: call.path });
  const base = baseOf(provider, channel);
  const headers = keyHeaders(provider, channel, call);
  if (!isForm(call.protocol)) headers['content-type'] = 'application/json';
  const { edits, losses } = editBody(provider, call, channel);
  const url = provider.url ? provider.url(base, call, channel) : joinUrl(base, call.path);
  const request: UpstreamRequest = { url, headers, edits, losses };
  // The responses to a rerank have many shapes, even those of servers that follow one vendor.
  if (call.protocol === 'rerank') request.readResponse = (response) => readRerankResponse(response, call);
  return request;
}

function editBody(provider: CompatibleProvider, call: UpstreamCall, channel: ChannelTarget) {
  const edits = new BodyEdits(call);
  if (!isForm(call.protocol)) {
    refuseFields(provider, call);
    for (const field of provider.unsupported ?? []) edits.drop(field);
    if (!provider.speaksOpenAi && call.protocol === 'openai-chat') edits.rename('max_completion_tokens', 'max_tokens');
    editStreamOptions(edits, call, channel);
  }
  const model = provider.adjust?.(edits, call) ?? call.model;
  editModel(edits, call, model);
  if (!provider.speaksOpenAi || provider.messages) {
    const messages = fixMessages(call, provider.messages);
    if (messages) edits.set('messages', messages);
  }
  return { edits: edits.list(), losses: lossesOf(call, edits) };
}

/** Neutral values ask for nothing, and `stream_options` is ours to ask for. */
const unnamed = (field: string, value: unknown) =>
  field === 'stream_options' || (field === 'reasoning_effort' && value === 'none');

/** What a vendor's rules take out; and a schema that became an instruction is not a promise any more. */
function lossesOf(call: UpstreamCall, edits: BodyEdits): readonly Loss[] {
  const losses = new Losses();
  for (const field of edits.lost()) if (!unnamed(field, call.fields.value(field))) losses.drop(field);
  const isRewritten = edits.list().some((edit) => 'set' in edit && edit.set === 'response_format');
  if (isRewritten && jsonSchemaOf(call)) losses.emulate('response_format');
  return losses.list;
}

/** A set to its neutral value (`n: 1`, `logprobs: false`) asks for nothing. */
function refuseFields({ refused = [], label }: CompatibleProvider, { fields }: UpstreamCall): void {
  for (const field of refused) {
    if (!fields.has(field)) continue;
    const value = fields.value(field);
    const isNeutral = value === null || value === false || value === 0 || (field === 'n' && value === 1);
    if (!isNeutral) throw new AppError('provider.fieldNotOffered', { provider: label, field }, { param: field });
  }
}

function baseOf(provider: CompatibleProvider, channel: ChannelTarget): string {
  const base = trimSlash(channel.base_url || provider.defaultBaseUrl);
  if (base === '') throw new AppError('provider.fieldNeeded', { field: 'base_url' });
  return base;
}

function keyHeaders(provider: CompatibleProvider, channel: ChannelTarget, call?: UpstreamCall) {
  const headers: Record<string, string> = { authorization: `Bearer ${channel.key}` };
  if (provider.accountHeaders) Object.assign(headers, provider.accountHeaders(channel));
  if (provider.headers && call) Object.assign(headers, provider.headers(channel, call));
  return headers;
}

/** Statuses that lead the general rules to the kind a vendor's own table has named. */
export const statusOfKind: Record<Exclude<UpstreamErrorKind, 'retry'>, number> = {
  dead: 401,
  balance: 402,
  client: 400,
  policy: 400,
  contextLength: 400,
  bug: 500,
};

function hiddenErrorStatus(provider: CompatibleProvider, body: unknown): number | undefined {
  const status = errorStatusIn(body);
  if (status === undefined || status < 500) return status;
  const { kind } = classifyUpstream({ status, body, headers: {} }, provider.errors);
  return kind === 'retry' ? status : statusOfKind[kind];
}

/** Sent as multipart form: of its fields only the model is ever changed. */
export function isForm(protocol: ProtocolName): boolean {
  return protocol === 'openai-image-edit' || protocol === 'openai-transcription' || protocol === 'openai-translation';
}
