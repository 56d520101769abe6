import { createHash } from 'node:crypto';

/**
 * The id of a tool call whose upstream names none. OpenAI takes no more than 40 characters, also of a call that another vendor's
 * model has made, so the id of the response is shortened: to what is random in it.
 */
export function madeCallId(responseId: string, ...places: number[]): string {
  return ['call', responseId.replace(/\W/g, '').slice(-24), ...places].join('_');
}

/** A call's id for an upstream that takes so many characters; the same one always comes out the same way. */
export function boundedCallId(id: string, max: number): string {
  return id.length <= max ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
