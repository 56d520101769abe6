import type { JsonObject } from '../lib/json-value.ts';
import type { UpstreamCall } from './adapter.ts';

/** How a vendor's messages differ from OpenAI's. */
export interface MessageRules {
  keepsDeveloperRole?: boolean;
  /** Further changes, after the roles: returns the same list when nothing changes. */
  rewrite?(messages: JsonObject[], call: UpstreamCall): JsonObject[];
}

/** The messages as the vendor reads them, undefined when they may stay as they are or were not parsed. */
export function fixMessages(call: UpstreamCall, rules: MessageRules = {}): JsonObject[] | undefined {
  if (call.protocol !== 'openai-chat' || !Array.isArray(call.body?.messages)) return undefined;
  // The relay has had every message checked to be an object (`checkBody` of the protocol).
  const original = call.body.messages as JsonObject[];
  const named = rules.keepsDeveloperRole ? original : developerToSystem(original);
  const fixed = rules.rewrite ? rules.rewrite(named, call) : named;
  return fixed === original ? undefined : fixed;
}

/** Only OpenAI's newer models have a developer role; elsewhere it is the system one. */
function developerToSystem(messages: JsonObject[]): JsonObject[] {
  if (!messages.some(({ role }) => role === 'developer')) return messages;
  return messages.map((message) => (message.role === 'developer' ? { ...message, role: 'system' } : message));
}

/** Replaces messages one by one and keeps the list's identity when none changed. */
export function mapMessages(messages: JsonObject[], change: (message: JsonObject) => JsonObject): JsonObject[] {
  let hasChanged = false;
  const changed = messages.map((message) => {
    const result = change(message);
    if (result !== message) hasChanged = true;
    return result;
  });
  return hasChanged ? changed : messages;
}
