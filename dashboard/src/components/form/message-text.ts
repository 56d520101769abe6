import i18next from 'i18next';
import { wordsIn } from '../../../../core/text/detail.ts';
import type { Language } from '../../i18n/language.ts';
import { sentence } from '../../state/sentence.ts';

/** What is wrong with a field. A form's own rules name a text (`token:form.expiryFormat`), the shared schemas give a code. */
export function messageText(message: string, language: string): string {
  if (/^[a-z-]+:[\w.]+$/.test(message)) return i18next.t(message);
  return sentence(wordsIn(language as Language, message));
}
