import { AppError } from '../errors/app-error.ts';
import { type SecretBox, SecretUnreadableError } from '../lib/secret-box.ts';

/** Decrypts a stored secret; one written with an unknown master key ends in words an operator can act on. */
export function openSecret(secretBox: SecretBox, text: string, place: string): string {
  try {
    return secretBox.decrypt(text, place);
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    throw new AppError('secret.unreadable', { place }, { cause: error });
  }
}
