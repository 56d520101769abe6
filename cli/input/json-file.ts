import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { readTextFile } from './secret.ts';

/** The JSON value a file contains, or standard input for `-`. */
export async function readJsonFile({ input }: Context, file: string): Promise<unknown> {
  const text = file === '-' ? await input.readAll() : await readTextFile(file);
  try {
    // Editors of one system put a mark before the first character.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new AppError('cli.fileProblem', { place: file, reason: (error as Error).message }, { cause: error });
  }
}
