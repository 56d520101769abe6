import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RelayCall } from '../call.ts';

/** What calls of one conversation have in common. */
export interface Conversation {
  /** 64 bits, in hexadecimal. */
  id: string;
  /** How long its vendor is asked to keep the prompt; 0 = as long as usual. */
  cacheSeconds: number;
}

export interface ConversationCall {
  call: Pick<RelayCall, 'protocol' | 'caller' | 'clientHeaders'>;
  model: string;
  /** The parsed body; undefined when it is too long to be parsed on the way. */
  json: Record<string, unknown> | undefined;
  promptTokens: number;
}

/** Most vendors cache no shorter prompt, and of one there is little to save: it goes wherever there is room. */
const fewestTokens = 1024;
/** By which coding tools name a session: they stand for a conversation however it begins. */
const sessionHeaders = ['session_id', 'session-id', 'x-session-id', 'conversation_id', 'x-claude-code-session-id'];
const instructionMembers = ['system', 'systemInstruction', 'system_instruction', 'instructions'];
const messageMembers = ['messages', 'contents', 'input'];
/** A long text is known by its length, its begin and its end. */
const beginLength = 4096;
const endLength = 512;

/**
 * The conversation that a call belongs to: by the name that the client gives it, else by the caller, the instructions and everything up
 * to the first message of the user, which all of its calls begin with. Undefined when there is no prompt cache to come back to.
 */
export function conversationOf({ call, model, json = {}, promptTokens }: ConversationCall): Conversation | undefined {
  const { protocol, caller, clientHeaders } = call;
  if (!protocol.chat) return undefined;
  const name = nameOf(json, clientHeaders);
  if (name === undefined && promptTokens < fewestTokens) return undefined;
  const hash = createHash('sha256').update(`${caller.userId}\n${model}\n`);
  if (name !== undefined) hash.update(name);
  else if (!noteBeginning(json, hash)) return undefined;
  return { id: hash.digest('hex').slice(0, 16), cacheSeconds: cacheSecondsOf(json) };
}

function nameOf(json: Record<string, unknown>, headers: IncomingHttpHeaders): string | undefined {
  const { prompt_cache_key: key, conversation } = json;
  if (isName(key)) return `key ${key}`;
  if (isName(conversation)) return `conversation ${conversation}`;
  const id = (conversation as { id?: unknown } | null | undefined)?.id;
  if (isName(id)) return `conversation ${id}`;
  for (const header of sessionHeaders) if (isName(headers[header])) return `session ${headers[header]}`;
  return undefined;
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** False when there is no message of a user. */
function noteBeginning(json: Record<string, unknown>, hash: Hash): boolean {
  // One key may serve many people, whom its owner tells apart.
  note([json.user, (json.metadata as { user_id?: unknown } | null | undefined)?.user_id], hash);
  for (const member of instructionMembers) note(json[member], hash);
  for (const member of messageMembers) {
    const messages = json[member];
    if (typeof messages === 'string') {
      note(messages, hash);
      return true;
    }
    if (!Array.isArray(messages)) continue;
    for (const message of messages) {
      note(message, hash);
      if (isOfUser(message)) return true;
    }
  }
  return false;
}

const isOfUser = (message: unknown) => ['user', undefined].includes((message as { role?: string } | null)?.role);

function note(value: unknown, hash: Hash): void {
  if (typeof value === 'string') {
    const isLong = value.length > beginLength + endLength;
    hash.update(`${value.length}:`).update(isLong ? value.slice(0, beginLength) : value);
    if (isLong) hash.update(value.slice(-endLength));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      // Where a client marks what is to be cached moves on from turn to turn.
      if (name === 'cache_control') continue;
      hash.update(`${name}=`);
      note(member, hash);
    }
  } else hash.update(`${value};`);
}

/** Only what is longer than usual. Marks stand on the instructions, the tools, the messages or their parts. */
function cacheSecondsOf(json: Record<string, unknown>): number {
  if (json.prompt_cache_retention === '24h') return 86_400;
  const isMarked =
    hasHourMark(json) || [json.system, json.tools, json.messages].some((part) => someOf(part, isMarkedMessage));
  return isMarked ? 3600 : 0;
}

const isMarkedMessage = (message: unknown) =>
  hasHourMark(message) || someOf((message as { content?: unknown } | null)?.content, hasHourMark);

const hasHourMark = (part: unknown) =>
  (part as { cache_control?: { ttl?: unknown } | null } | null)?.cache_control?.ttl === '1h';

const someOf = (list: unknown, isMeant: (one: unknown) => boolean) => Array.isArray(list) && list.some(isMeant);
