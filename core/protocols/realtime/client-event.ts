import { isUtf8 } from 'node:buffer';
import { type JsonKeyRule, type JsonScan, TopLevelScanner } from '../../lib/json-scan.ts';
import { readSessionFacts, type SessionFacts } from './session-facts.ts';

/** What one event of the client means for the bill. `json` is there where its values decide what is billed. */
export type ClientEvent =
  | { kind: 'audio'; base64Length: number }
  | { kind: 'content'; textBytes: number; audioBase64Length: number }
  | { kind: 'settings'; eventId: string | undefined; facts: SessionFacts; json: Record<string, unknown> }
  | { kind: 'other' };

const plainRule: JsonKeyRule = {
  isForbidden: false,
  countsStrings: true,
  countsKeys: false,
  maximumCount: Number.POSITIVE_INFINITY,
};
const other: ClientEvent = { kind: 'other' };
/** Their model, and the one that writes down the caller's speech, are what the session is paid by. */
const settingEvents = new Set(['session.update', 'transcription_session.update', 'response.create']);
const longestName = 256;

/**
 * Reads one message of the client, which must be one JSON object in which each top-level key stands once: two readers of the same
 * bytes must not see two different events. Throws JsonScanError. Sound is only measured, never parsed.
 */
export function readClientEvent(bytes: Buffer): ClientEvent {
  if (!isUtf8(bytes)) return other;
  const scanner = new TopLevelScanner({ ruleFor: () => plainRule, keepBytes: longestName });
  scanner.push(bytes);
  const scan = scanner.end();
  const type = memberText(scan, 'type');
  if (type === 'input_audio_buffer.append') return { kind: 'audio', base64Length: lengthOf(scan, 'audio') };
  if (type === 'conversation.item.create') return readItem(bytes);
  if (!settingEvents.has(type ?? '')) return other;
  const json = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const eventId = memberText(scan, 'event_id');
  const facts = readSessionFacts(type === 'response.create' ? json.response : json.session);
  return { kind: 'settings', eventId, facts, json };
}

/** The settings again, with the upstream's name of the model: what is sent is what was read. */
export function writeSettings(json: Record<string, unknown>, upstreamModel: string): string {
  const key = json.type === 'response.create' ? 'response' : 'session';
  const settings = json[key] as { model?: unknown } | undefined;
  if (typeof settings?.model !== 'string') return JSON.stringify(json);
  return JSON.stringify({ ...json, [key]: { ...settings, model: upstreamModel } });
}

function readItem(bytes: Buffer): ClientEvent {
  const { item } = JSON.parse(bytes.toString('utf8')) as { item?: { content?: unknown; output?: unknown } };
  const parts: unknown[] = Array.isArray(item?.content) ? item.content : [];
  let textBytes = typeof item?.output === 'string' ? Buffer.byteLength(item.output) : 0;
  let audioBase64Length = 0;
  for (const part of parts) {
    const { text, audio } = (part ?? {}) as { text?: unknown; audio?: unknown };
    if (typeof text === 'string') textBytes += Buffer.byteLength(text);
    if (typeof audio === 'string') audioBase64Length += audio.length;
  }
  return { kind: 'content', textBytes, audioBase64Length };
}

function memberText({ members }: JsonScan, key: string): string | undefined {
  const raw = members.get(key)?.raw;
  return raw?.startsWith('"') ? (JSON.parse(raw) as string) : undefined;
}

/** Characters of a text value, without its quotes. */
function lengthOf({ members }: JsonScan, key: string): number {
  const member = members.get(key);
  return member ? Math.max(0, member.valueEnd - member.valueStart - 2) : 0;
}
