import { detail } from './en/detail.ts';
import { createFiller } from './filler.ts';
import { detail as detailZh } from './zh/detail.ts';

export type { Language } from './filler.ts';

/** For browsers, which need none of the other texts: what the shared schemas say. */
export const { wordsIn } = createFiller({ en: { detail }, zh: { detail: detailZh } });
