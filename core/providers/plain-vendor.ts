import { isJsonObject, recordsOf } from '../lib/json-value.ts';
import type { UpstreamCall } from './adapter.ts';
import { defaultYuanPerDollar, numberAt, simpleBalance } from './balance.ts';
import { joinUrl, originOf } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { describeSchema, jsonSchemaOf } from './json-schema-prompt.ts';
import { typeFacts } from './type-fact.ts';
import { newerHints } from './vendor-field.ts';

/** Vendors whose sheet says little more than "base and client path". */

export const ai360 = defineCompatibleProvider({
  ...typeFacts(19),
  protocols: ['openai-chat', 'openai-embedding'],
  unsupported: newerHints,
  errors: [
    { codes: ['1004', '1005'], kind: 'policy' },
    { status: [402, 403], words: ['余额', 'quota'], kind: 'balance' },
  ],
});

export const moonshot = defineCompatibleProvider({
  ...typeFacts(25),
  protocols: ['openai-chat'],
  // The older models do not think.
  writeContext: (model) => ({ replaysReasoning: !model.startsWith('moonshot-v1') }),
  continuesTurn: (model, spoken) =>
    spoken === 'openai-chat' && model.startsWith('moonshot-v1') ? { mark: 'partial' } : undefined,
  inlinesMedia: (url) => /^https?:/i.test(url),
  // The usage of a stream stands inside its last choice.
  mendsResponses: true,
  unsupported: newerHints,
  adjust: (edits, { fields, model }) => {
    const temperature = fields.value('temperature');
    if (model.startsWith('moonshot-v1') && typeof temperature === 'number' && temperature > 1)
      edits.set('temperature', 1);
    if (fields.value('tool_choice') === 'required') edits.set('tool_choice', 'auto');
    return undefined;
  },
  errors: [
    { codes: ['exceeded_current_quota_error'], kind: 'balance' },
    { status: [403], words: ['balance'], kind: 'balance' },
    { codes: ['rate_limit_reached_error', 'engine_overloaded_error'], kind: 'retry' },
    { codes: ['invalid_authentication_error', 'incorrect_api_key_error'], kind: 'dead' },
    // One model is closed to this account, not the account.
    { codes: ['permission_denied_error'], kind: 'retry' },
  ],
  balance: (base, key, _today, yuanPerDollar = defaultYuanPerDollar) =>
    simpleBalance(joinUrl(base, '/v1/users/me/balance'), key, (body) => {
      const amount = numberAt(body, 'data', 'available_balance');
      return originOf(base).endsWith('.ai') ? amount : amount / yuanPerDollar;
    }),
});

export const yi = defineCompatibleProvider({
  ...typeFacts(31),
  protocols: ['openai-chat', 'openai-completion'],
  unsupported: newerHints,
  errors: [{ status: [429], words: ['quota', 'insufficient'], kind: 'balance' }],
});

export const deepSeek = defineCompatibleProvider({
  ...typeFacts(43),
  protocols: ['openai-chat', 'openai-completion'],
  unsupported: [...newerHints, 'seed', 'logit_bias', 'user', 'parallel_tool_calls'],
  refused: ['n'],
  // While it thinks, a turn that calls tools is refused without the reasoning that led to it.
  writeContext: () => ({ replaysReasoning: true }),
  // What does not think goes on with a turn; a reseller need not know how.
  continuesTurn: (model, spoken, { base_url: base }) =>
    spoken === 'openai-chat' && model === 'deepseek-chat' && base === '' ? { mark: 'prefix' } : undefined,
  // Completions fill in the middle; they, and turns that are gone on with, are a beta of this vendor.
  url: (base, { protocol, path, body }) => {
    if (protocol === 'openai-completion') return `${originOf(base)}/beta/completions`;
    const isBegun = protocol === 'openai-chat' && recordsOf(body?.messages).at(-1)?.prefix === true;
    return isBegun ? `${originOf(base)}/beta/chat/completions` : joinUrl(base, path);
  },
  adjust: (edits, call) => {
    if (call.fields.value('reasoning_effort') === 'none') {
      edits.drop('reasoning_effort');
      edits.set('thinking', { type: 'disabled' });
    }
    // It insists on its own reasoning behind every call of a tool: a conversation that has lost it goes on without thinking.
    if (lacksReasoning(call)) {
      edits.drop('reasoning_effort');
      edits.set('thinking', { type: 'disabled' });
    }
    // Plain JSON is all this vendor promises; the schema goes with the instructions.
    if (jsonSchemaOf(call)) edits.set('response_format', { type: 'json_object' });
    return undefined;
  },
  messages: { rewrite: describeSchema },
  modelsUrl: (base) => `${originOf(base)}/models`,
  balance: (base, key, _today, yuanPerDollar = defaultYuanPerDollar) =>
    simpleBalance(`${originOf(base)}/user/balance`, key, (body) => {
      const entries = isJsonObject(body) && Array.isArray(body.balance_infos) ? (body.balance_infos as unknown[]) : [];
      const dollars = entries.find((entry) => isJsonObject(entry) && entry.currency === 'USD');
      return dollars ? numberAt(dollars, 'total_balance') : numberAt(entries[0], 'total_balance') / yuanPerDollar;
    }),
});

/** A call of a tool in the conversation came without the reasoning that led to it. */
function lacksReasoning({ body }: UpstreamCall): boolean {
  return recordsOf(body?.messages).some(
    ({ tool_calls: calls, reasoning_content: reasoning }) =>
      recordsOf(calls).length > 0 && typeof reasoning !== 'string',
  );
}

export const mokaAi = defineCompatibleProvider({
  ...typeFacts(44),
  protocols: ['openai-embedding'],
});

/** Runs on the operator's own machines. */
export const xinference = defineCompatibleProvider({
  ...typeFacts(47),
  protocols: [
    'openai-chat',
    'openai-completion',
    'openai-embedding',
    'openai-image',
    'openai-speech',
    'openai-transcription',
    'openai-translation',
    'rerank',
  ],
});
