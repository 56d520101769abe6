import { dollarsPerMillion } from '../../billing/price.ts';
import type { AppError, Language } from '../../errors/app-error.ts';
import { healthText } from '../../schemas/channel-health.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';
import type { ExplanationView } from '../../schemas/explain.ts';
import { firstTokenText } from '../../schemas/first-token.ts';
import { wordsIn } from '../../text/text.ts';
import type { ExplainedChannel, ExplainedPrice, ExplainedRequest, Explanation } from './explanation.ts';
import type { ExplainedLimit } from './limits.ts';

/** The same as JSON, in the reader's language. */
export function explanationView(explanation: Explanation, language: Language): ExplanationView {
  const { caller, protocol, request, refusals, pinned, retries, seesCircuits, channels, sent, price, limits } =
    explanation;
  const { tokenId, tokenName, userId, username, group } = caller;
  const reasonView = (error: AppError) => {
    const hint = error.hint(language);
    return { code: error.code, message: error.text(language), ...(hint && { hint }) };
  };
  const channelView = ({ turn, conversation, firstToken, health, reasons, ...channel }: ExplainedChannel) => ({
    ...channel,
    type_name: channelTypeOf(channel.type)?.name ?? String(channel.type),
    turn: turn ?? null,
    conversation: conversation ?? null,
    first_token: firstToken ? { ...firstToken, text: wordsIn(language, firstTokenText(firstToken)) } : null,
    health: health ? { ...health, text: wordsIn(language, healthText(health)) } : null,
    reasons: reasons.map(reasonView),
  });
  return {
    served: refusals.length === 0 && sent !== undefined,
    model: request.model,
    group,
    protocol,
    stream: request.stream,
    token: tokenId === 0 ? null : { id: tokenId, name: tokenName, user_id: userId, username },
    refusals: refusals.map(reasonView),
    pinned,
    retries,
    limits: limits.map(limitView),
    sees_circuits: seesCircuits,
    channels: channels.map(channelView),
    request: sent ? requestView(sent) : null,
    price: price ? priceView(price) : null,
  };
}

function limitView({ limit, budget, used, held, needed, refusal }: ExplainedLimit): ExplanationView['limits'][number] {
  const { id, kind: subject_kind, subject, measure, period, amount } = limit;
  return {
    id,
    subject_kind,
    subject,
    measure,
    period,
    amount,
    used,
    held,
    remaining: Math.max(0, amount - used - held),
    needed,
    resets_at: budget?.window.end ?? 0,
    refuses: refusal !== undefined,
  };
}

function requestView(sent: ExplainedRequest): ExplanationView['request'] {
  return {
    channel_id: sent.channelId,
    channel_name: sent.channelName,
    method: sent.method,
    url: sent.url,
    headers: sent.headers,
    signed_by: sent.signedBy,
    proxy: sent.proxy,
    upstream_model: sent.upstreamModel,
    upstream_protocol: sent.upstreamProtocol,
    overridden: sent.overridden,
    dropped: sent.losses.map(({ field, kind }) => ({ field, kind })),
    fetched: sent.fetched,
    body: sent.body,
    body_bytes: Buffer.byteLength(sent.body),
  };
}

function priceView({ rates, promptTokens, completionTokens, hold }: ExplainedPrice): ExplanationView['price'] {
  return {
    kind: rates.kind,
    source: rates.source,
    model_ratio: rates.modelRatio,
    completion_ratio: rates.completionRatio,
    cache_ratio: rates.cacheRatio,
    model_price: rates.modelPrice,
    group_ratio: rates.groupRatio,
    quota_per_unit: rates.quotaPerUnit,
    per_million: rates.kind === 'ratio' ? dollarsPerMillion(rates) : null,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    hold,
  };
}
