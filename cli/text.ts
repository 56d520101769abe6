import { type Details, type Language, type TextKey, textIn } from '../core/text/text.ts';

/** Every sentence of the command line that is no error; those are AppErrors. */
export type Sentence = TextKey<'terminal'>;
export type Speak = (sentence: Sentence, details?: Details) => string;

export function createSpeak(language: Language): Speak {
  return (sentence, details) => textIn(language, 'terminal', sentence, details);
}
