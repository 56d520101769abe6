import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMediaText } from '../../canonical/prompt-members.ts';
import { AppError } from '../../errors/app-error.ts';
import type { PromptTextReader, RelayBody } from '../call.ts';

export interface SensitiveWords {
  /** Throws `relay.sensitive` when the prompt holds a word of the list, in any case; at once, or for a long body as a promise. */
  check(body: Pick<RelayBody, 'readTexts'>): Promise<void> | undefined;
}

/** Characters that are searched between two turns of the event loop: fewer the more words there are. */
const turnCharacters = { max: 256 * 1024, min: 4096, timesWords: 32 * 1024 * 1024 } as const;
/** Marks that a reader does not see, zero-width spaces among them. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const beyondAscii = /[^\0-\x7f]/;

/** Substring search, linear in the text for each word; nothing in a word is a pattern. */
export function createSensitiveWords(words: () => readonly string[]): SensitiveWords {
  let given: readonly string[] = [];
  let plain: readonly string[] = [];

  /** The option hands out the same list until it changes. */
  function plainWords(list: readonly string[]): readonly string[] {
    if (list !== given) {
      given = list;
      plain = list.map(plainText).filter((word) => word !== '');
    }
    return plain;
  }

  return {
    check(body) {
      const list = plainWords(words());
      if (list.length === 0) return undefined;
      const search = new WordSearch(list);
      const reading = body.readTexts(search);
      return reading ? reading.then(() => search.finish()) : search.finish();
    },
  };
}

/** Words in the text that came so far; what was searched is dropped. */
class WordSearch implements PromptTextReader {
  readonly #words: readonly string[];
  readonly #turnCharacters: number;
  readonly #tailLength: number;
  /** The end of what was searched, where a word may have begun. */
  #tail = '';
  #waiting: string[] = [];
  #pending = '';
  #types = '';
  #isAfterText = false;

  constructor(words: readonly string[]) {
    this.#words = words;
    const { max, min, timesWords } = turnCharacters;
    this.#turnCharacters = Math.max(min, Math.min(max, Math.floor(timesWords / words.length)));
    this.#tailLength = words.reduce((maxLength, { length }) => Math.max(maxLength, length), 0) - 1;
  }

  text(text: string, key: string, isContinued: boolean): void {
    if (isMediaText(text, key)) return;
    if (key === 'type') {
      this.#types += `\n${text}`;
    } else {
      // Parts of one message have nothing but their type between them; for the model they are one text.
      const isText = key === 'text';
      this.#pending += isContinued || (isText && this.#isAfterText) ? text : `\n${text}`;
      this.#isAfterText = isText;
    }
    if (this.#pending.length + this.#types.length >= this.#turnCharacters) this.#takePending();
  }

  turn(): Promise<void> | undefined {
    return this.#waiting.length === 0 ? undefined : this.#searchWaiting();
  }

  finish(): Promise<void> | undefined {
    this.#takePending();
    const [only = ''] = this.#waiting;
    if (this.#waiting.length > 1) return this.#searchWaiting();
    this.#search(only);
    return undefined;
  }

  #takePending(): void {
    const text = this.#pending + this.#types;
    for (let at = 0; at < text.length; at += this.#turnCharacters) {
      this.#waiting.push(text.slice(at, at + this.#turnCharacters));
    }
    this.#pending = '';
    this.#types = '';
  }

  async #searchWaiting(): Promise<void> {
    for (const text of this.#waiting) {
      this.#search(text);
      await nextTurn();
    }
    this.#waiting = [];
  }

  #search(text: string): void {
    const searched = this.#tail + plainText(text);
    if (this.#words.some((word) => searched.includes(word))) throw new AppError('relay.sensitive');
    this.#tail = this.#tailLength > 0 ? searched.slice(-this.#tailLength) : '';
  }
}

/** As a reader sees it, in one of its spellings: full-width letters are letters, and what is invisible is gone. */
function plainText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').replace(invisible, '').toLowerCase();
}
