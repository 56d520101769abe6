import type { KeyboardEvent } from 'react';

/** What keys have in the browsers that end a composition just before they tell of the Enter that did it: Safari. */
const composingKeyCode = 229;

/** Enter as an order, and not the one by which a Chinese or Japanese word that is being composed is taken. */
export function isEntered({ key, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !isComposed(nativeEvent);
}

/** A key for the window in which words are chosen while they are composed. */
export function isComposed({ isComposing, keyCode }: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === composingKeyCode;
}
