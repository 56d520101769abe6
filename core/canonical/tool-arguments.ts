import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import { RawJson } from '../lib/raw-json.ts';

/**
 * The arguments of a call as a JSON object for protocols that have no text there, word for word. No arguments are an empty
 * object; undefined when the text is not an object, as of a call that was cut off.
 */
export function argumentObject(text: string): RawJson | JsonObject | undefined {
  if (isNoArguments(text)) return {};
  try {
    return isJsonObject(JSON.parse(text)) ? new RawJson(inOneLine(text)) : undefined;
  } catch {
    return undefined; // not JSON: the caller says what becomes of it
  }
}

/** Models may pretty-print JSON, but a line break ends an event of a stream. Valid JSON has no raw line break inside a string. */
const inOneLine = (json: string): string => json.replace(/[\r\n]+/g, ' ');

/** Blanks and the word stand for no arguments; neither is an object, and clients parse what they get. */
export function isNoArguments(text: string): boolean {
  const said = text.trim();
  return said === '' || said === noArguments;
}

const noArguments = 'null';

/** The arguments of one call as they come, without what stands for none. */
export class ArgumentPieces {
  #waiting = '';
  hasBegun = false;

  /** Returns the text to send for this piece: empty as long as the call may turn out to have no arguments. */
  add(text: string): string {
    if (this.hasBegun) return text;
    this.#waiting += text;
    const said = this.#waiting.trimStart();
    if (noArguments.startsWith(said.trimEnd())) return '';
    this.hasBegun = true;
    return said;
  }

  /** Returns the text that is still to be sent when the call ends: a part of the word is a text like any other. */
  end(): string {
    if (this.hasBegun || isNoArguments(this.#waiting)) return '';
    this.hasBegun = true;
    return this.#waiting.trimStart();
  }
}

/** The name under which text that is not a JSON object travels where only an object may stand. */
const looseKey = 'arguments';

/** As `argumentObject`, with text that is not an object wrapped under one key: a bare string is refused by every protocol. */
export function argumentObjectOrWrapped(text: string): RawJson | JsonObject {
  return argumentObject(text) ?? wrappedArguments(text);
}

export function wrappedArguments(text: string): JsonObject {
  return { [looseKey]: text };
}

/** A custom tool for protocols that only know functions: one argument, which contains the free text. */
export const customToolSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

export function customToolArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The free text of a custom tool that went out as a function. What is no `input` is taken as it is. */
export function customToolInput(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && typeof value.input === 'string') return value.input;
  } catch {
    // A call that was cut off: the client gets what there is.
  }
  return text;
}

/** What a custom tool's description says where its grammar cannot be sent. */
export function customToolDescription(description: string | undefined, grammar: unknown): string {
  const rule = isJsonObject(grammar) && isJsonObject(grammar.grammar) ? grammar.grammar : grammar;
  const definition = isJsonObject(rule) && typeof rule.definition === 'string' ? rule.definition : undefined;
  const parts = [description, definition && `The input must follow this grammar:\n${definition}`];
  return parts.filter(Boolean).join('\n\n');
}
