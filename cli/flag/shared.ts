import type { Language } from '../../core/errors/app-error.ts';
import { typedNames } from '../../core/lib/typed-list.ts';

/** The flags every command has. */
export interface SharedFlags {
  json: boolean;
  quiet: boolean;
  verbose: boolean;
  color: 'auto' | 'always' | 'never';
  fields: string[] | undefined;
  language: Language | undefined;
  /** False with --no-input: nothing is ever asked. */
  input: boolean;
  dataDir: string | undefined;
}

const valued = ['--color', '--fields', '--language', '--data-dir'];

/**
 * Reads the shared flags before the command tree exists: the tree is described in the language they choose, and an error
 * in the words themselves is printed as they ask. The tree checks them again.
 */
export function readSharedFlags(words: string[]): SharedFlags {
  const flags: SharedFlags = {
    json: false,
    quiet: false,
    verbose: false,
    color: 'auto',
    fields: undefined,
    language: undefined,
    input: true,
    dataDir: undefined,
  };
  for (const { name, value } of optionsOf(words)) {
    if (name === '--json') flags.json = true;
    else if (name === '--quiet' || name === '-q') flags.quiet = true;
    else if (name === '--verbose') flags.verbose = true;
    else if (name === '--no-input') flags.input = false;
    else if (name === '--no-color') flags.color = 'never';
    else if (name === '--color' && (value === 'always' || value === 'never' || value === 'auto')) flags.color = value;
    else if (name === '--fields') flags.fields = splitFields(value);
    else if (name === '--language' && (value === 'zh' || value === 'en')) flags.language = value;
    else if (name === '--data-dir') flags.dataDir = value;
  }
  return flags;
}

/** Positions of the words that are neither flags nor values of shared flags: noun, verb, then whatever follows. */
export function operandPositions(words: string[]): number[] {
  const positions: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') break;
    if (valued.includes(word)) index++;
    else if (!word.startsWith('-') || word === '-') positions.push(index);
  }
  return positions;
}

function* optionsOf(words: string[]): Generator<{ name: string; value: string | undefined }> {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') return;
    const [name = '', value] = word.split(/=(.*)/s);
    if (valued.includes(name) && value === undefined) yield { name, value: words[++index] };
    else yield { name, value };
  }
}

function splitFields(text: string | undefined): string[] | undefined {
  const names = typedNames(text ?? '');
  return names.length > 0 ? names : undefined;
}
