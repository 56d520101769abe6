import { isUtf8 } from 'node:buffer';
import { isDisguised } from '../../lib/disguised-key.ts';
import { type JsonKeyRule, type JsonScan, TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
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
  maxCount: Number.POSITIVE_INFINITY,
};
const other: ClientEvent = { kind: 'other' };
/** Their model, and the one that writes down the caller's speech, are what the session is paid by. */
const settingEvents = new Set(['session.update', 'transcription_session.update', 'response.create']);
const maxNameLength = 256;
/** Keys that say what an event is and what it costs. */
const eventKeys = new Set(['type', 'event_id', 'session', 'response', 'item', 'audio']);
const settingKeys = new Set([
  'type',
  'model',
  'instructions',
  'audio',
  'input',
  'output',
  'format',
  'transcription',
  'input_audio_format',
  'output_audio_format',
  'input_audio_transcription',
]);

/**
 * Reads one message of the client, which must be one JSON object in which each top-level key stands once, and in the letters it is
 * known by: two readers of the same bytes must not see two different events. Throws JsonScanError. Sound is only measured, never
 * parsed.
 */
export function readClientEvent(bytes: Buffer): ClientEvent {
  if (!isUtf8(bytes)) throw new JsonScanError('notJson', { reason: coded('body.notUtf8') });
  const scanner = new TopLevelScanner({ ruleFor: () => plainRule, keepBytes: maxNameLength });
  scanner.push(bytes);
  const scan = scanner.end();
  refuseDisguised(scan.members.keys(), eventKeys);
  const type = memberText(scan, 'type');
  if (type === 'input_audio_buffer.append') return { kind: 'audio', base64Length: lengthOf(scan, 'audio') };
  if (type === 'conversation.item.create') return readItem(bytes);
  if (!settingEvents.has(type ?? '')) return other;
  const json = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const eventId = memberText(scan, 'event_id');
  const settings = type === 'response.create' ? json.response : json.session;
  checkSettingKeys(settings);
  const facts = readSessionFacts(settings);
  return { kind: 'settings', eventId, facts, json };
}

/**
 * The settings again, with the upstream's name of the model: what is sent is what was read. Of two places for the model that writes
 * down speech, one is sent: that of the interface the client speaks.
 */
export function writeSettings(json: Record<string, unknown>, upstreamModel: string, isBeta: boolean): string {
  const key = json.type === 'response.create' ? 'response' : 'session';
  const settings = fieldsOf(json[key]);
  if (settings === undefined) return JSON.stringify(json);
  const model = typeof settings.model === 'string' ? { model: upstreamModel } : {};
  return JSON.stringify({ ...json, [key]: { ...withOneTranscription(settings, isBeta), ...model } });
}

function withOneTranscription(settings: JsonObject, isBeta: boolean): JsonObject {
  const audio = fieldsOf(settings.audio);
  const input = fieldsOf(audio?.input);
  if (input?.transcription === undefined || settings.input_audio_transcription === undefined) return settings;
  if (!isBeta) return { ...settings, input_audio_transcription: undefined };
  return { ...settings, audio: { ...audio, input: { ...input, transcription: undefined } } };
}

function checkSettingKeys(settings: unknown): void {
  const fields = fieldsOf(settings);
  const audio = fieldsOf(fields?.audio);
  const input = fieldsOf(audio?.input);
  const places = [fields, audio, input, fieldsOf(audio?.output), fieldsOf(input?.transcription)];
  for (const place of [...places, fieldsOf(fields?.input_audio_transcription)]) {
    if (place) refuseDisguised(Object.keys(place), settingKeys);
  }
}

function refuseDisguised(keys: Iterable<string>, known: ReadonlySet<string>): void {
  for (const key of keys) if (isDisguised(key, known)) throw new JsonScanError('forbiddenKey', { key });
}

function fieldsOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
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
