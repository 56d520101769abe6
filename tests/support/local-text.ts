import type { Language } from '../../core/text/text.ts';

/** A text of the documents in each of our languages. */
export type LocalText = Record<Language, string>;
