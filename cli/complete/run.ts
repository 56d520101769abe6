import type { Command } from 'commander';
import type { Context } from '../context.ts';

type CreateProgram = (words: string[]) => Promise<Command>;

/** Prints suggestions for a shell. Errors are not printed: the user is typing on that screen. */
export async function completeForShell(createProgram: CreateProgram, words: string[], context: Context) {
  try {
    const asked = wordsAsked(words);
    if (!asked) return;
    const lines = await completionsFor(createProgram, asked, context);
    context.output.text(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // Silent, as promised above.
  }
}

async function completionsFor(createProgram: CreateProgram, words: string[], context: Context): Promise<string[]> {
  const { completionLines } = await import('./lines.ts');
  return completionLines(await createProgram(words), {
    words,
    language: context.output.language,
    database: () => context.databasePlace(),
  });
}

/** `complete [count] -- words`: with a count, words that got lost at the end were empty. */
function wordsAsked([, ...words]: string[]): string[] | undefined {
  const start = words.indexOf('--');
  if (start < 0) return undefined;
  const typed = words.slice(start + 1);
  const count = start > 0 ? Number(words[0]) : typed.length;
  if (!Number.isInteger(count) || count < 0 || count > typed.length + 1) return undefined;
  return Array.from({ length: Math.max(count, 1) }, (_, index) => typed[index] ?? '');
}
