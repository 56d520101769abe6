import { AppError } from '../../../core/errors/app-error.ts';
import type { OptionItem } from '../../../core/schemas/option.ts';
import type { OptionChange } from '../../../core/services/option/option.ts';
import type { Output } from '../../output.ts';

/** Secrets that went because nothing is left that they were for. */
export function sayCleared({ say, language }: Output, { cleared }: OptionChange): void {
  for (const secret of cleared) say(new AppError('option.secretCleared', { secret }).text(language));
}

export function shownValue({ secret, has, value }: OptionItem): string {
  if (secret) return has ? '********' : '';
  return value;
}

const maxShownLength = 200;

export function shown(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
