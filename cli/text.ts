import { type Details, type Language, type TextKey, textIn } from '../core/text/text.ts';

/** Every sentence of the command line that is not an error; those are AppErrors. */
export type Sentence = TextKey<'terminal'>;
export type Speak = (sentence: Sentence, details?: Details) => string;

/** What a person may type for yes or no, whatever the language of the screen. */
export const isYes = (text: string): boolean => isWordFor('answer.yes', text);
export const isNo = (text: string): boolean => isWordFor('answer.no', text);

function isWordFor(sentence: 'answer.yes' | 'answer.no', text: string): boolean {
  return inEveryLanguage(sentence).some((words) => words.split(' ').includes(text.toLowerCase()));
}

export const inEveryLanguage = (sentence: Sentence): string[] =>
  (['en', 'zh'] as const).map((language) => textIn(language, 'terminal', sentence));

export function createSpeak(language: Language): Speak {
  return (sentence, details) => textIn(language, 'terminal', sentence, details);
}
