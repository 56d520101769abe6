import { AppError } from '../../core/errors/app-error.ts';
import { jsonErrorPosition } from '../../core/lib/json-position.ts';
import { coded } from '../../core/text/coded.ts';
import type { Context } from '../context.ts';
import { readTextFile } from './secret.ts';

/** The JSON value a file contains, or standard input for `-`. */
export async function readJsonFile({ input }: Context, file: string): Promise<unknown> {
  // Editors of one system put a mark before the first character.
  const text = (file === '-' ? await input.readAll() : await readTextFile(file)).replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch {
    // Node repeats what stands there, which may be a key.
    const reason = coded('input.jsonBrokenAt', { ...jsonErrorPosition(text) });
    throw new AppError('cli.fileProblem', { place: file, reason });
  }
}
