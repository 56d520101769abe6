import type { RelayRequest } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import { readThinkingSuffix } from '../../wire/anthropic-messages/thinking-suffix.ts';
import { minBudget, roomFor } from '../../wire/anthropic-messages/write-thinking.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { BodyEdits, editModel } from '../body-edit.ts';
import { readModelNames } from '../model-list.ts';
import { defaultModelSettings, entryFor, type ModelSettings } from '../model-setting.ts';
import { typeFacts } from '../type-fact.ts';
import { claudeContinuesTurn } from './continues-turn.ts';
import { editThinking } from './edit-thinking.ts';
import { hiddenAnthropicStatus, readAnthropicError } from './error-rule.ts';
import { callHeaders, keyHeaders } from './header.ts';

/** Where neither the model nor `default` is in the operator's list. */
const fallbackMaxOutput = 8192;

/** Anthropic's own API, and resellers with the same paths. */
export const anthropic: ProviderAdapter = {
  ...typeFacts(14),
  protocols: new Set(['anthropic-messages']),
  countsTokens: true,
  writeContext: (model, _channel, settings = defaultModelSettings) => writingOf(model, settings),
  outputBound: claudeOutputBound,
  continuesTurn: claudeContinuesTurn,
  buildRequest,
  readError: readAnthropicError,
  hiddenErrorStatus: hiddenAnthropicStatus,
  modelList: (channel) => ({
    // One page contains them all; without a limit it would be twenty.
    url: `${joinPath(channel, '/v1/models')}?limit=1000`,
    headers: keyHeaders(channel),
    read: readModelNames,
  }),
};

/** What the options say of a Claude model, for every cloud that serves it. */
export function writingOf(model: string, settings: ModelSettings): { defaultMaxOutput: number; thinkingShare: number } {
  const thinkingShare = settings['claude.thinking_adapter_enabled']
    ? settings['claude.thinking_adapter_budget_tokens_percentage']
    : 0;
  const plain = readThinkingSuffix(model, fallbackMaxOutput, thinkingShare)?.model ?? model;
  const defaultMaxOutput = entryFor(settings['claude.default_max_tokens'], plain) ?? fallbackMaxOutput;
  return { defaultMaxOutput, thinkingShare };
}

/** With the room that thinking gets beyond the client's own bound. */
export function claudeOutputBound(
  model: string,
  { maxCompletion, thinking }: Pick<RelayRequest, 'maxCompletion' | 'thinking'>,
  settings: ModelSettings,
): number {
  const { defaultMaxOutput, thinkingShare } = writingOf(model, settings);
  const asked = maxCompletion || defaultMaxOutput;
  const suffix = readThinkingSuffix(model, asked, thinkingShare);
  const bound = suffix?.maxOutput ?? asked;
  return thinking === undefined ? bound : roomFor(bound, Math.max(thinking, minBudget));
}

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (!anthropic.protocols.has(call.protocol))
    throw new AppError('provider.notOffered', { provider: anthropic.label, path: call.path });
  const { settings = defaultModelSettings } = call;
  return {
    // As Anthropic's SDKs ask for what is not settled yet.
    url: joinPath(channel, call.path) + (call.query.get('beta') === 'true' ? '?beta=true' : ''),
    headers: { ...keyHeaders(channel), ...callHeaders(call, settings), 'content-type': 'application/json' },
    edits: editBody(call, settings),
  };
}

function editBody(call: UpstreamCall, settings: ModelSettings) {
  const edits = new BodyEdits(call);
  // A converted body has been written for the model already, its suffix included.
  if (call.convertedFrom) return edits.list();
  const { defaultMaxOutput, thinkingShare: share } = writingOf(call.model, settings);
  // Counting takes neither a bound nor sampling, and says the same with and without thinking.
  const isCounting = call.path.endsWith('/count_tokens');
  const model = isCounting
    ? (readThinkingSuffix(call.model, 0, share)?.model ?? call.model)
    : editThinking(edits, call, { defaultMaxOutput, share });
  editModel(edits, call, model);
  return edits.list();
}

/** A base may end in the version already. Cloudflare's gateway addresses end before it, as Anthropic's own do. */
function joinPath({ base_url }: ChannelTarget, path: string): string {
  const base = trimSlash(base_url || anthropic.defaultBaseUrl);
  return base + (/\/v\d+$/.test(base) ? path.slice('/v1'.length) : path);
}
