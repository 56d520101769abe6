import { AppError } from '../errors/app-error.ts';
import { type SecretBox, SecretUnreadableError } from '../lib/secret-box.ts';
import { type Language, wordsIn } from '../text/text.ts';

/** Decrypts a stored secret; one written with an unknown master key ends in words an operator can act on. */
export function openSecret(secretBox: SecretBox, text: string, place: string): string {
  try {
    return secretBox.decrypt(text, place);
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    throw new AppError('secret.unreadable', { place }, { cause: error });
  }
}

/** A key as lists have it: one that cannot be decrypted is empty, and says why, so that the other rows are shown and its own can be edited. */
export interface ListedKey {
  key: string;
  key_problem?: string | undefined;
}

export function listedKey(secretBox: SecretBox, text: string, place: string): ListedKey {
  try {
    return { key: secretBox.decrypt(text, place) };
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    return { key: '', key_problem: new AppError('secret.keyUnreadable').coded };
  }
}

/** A key that is asked for by itself. */
export function openKey(secretBox: SecretBox, text: string, place: string): string {
  const { key, key_problem } = listedKey(secretBox, text, place);
  if (key_problem !== undefined) throw new AppError('secret.keyUnreadable');
  return key;
}

export function keyIn<Row extends ListedKey>(language: Language, row: Row): Row {
  return row.key_problem === undefined ? row : { ...row, key_problem: wordsIn(language, row.key_problem) };
}
