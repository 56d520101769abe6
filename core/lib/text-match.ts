/** How a database is asked for a text whatever its case. */
export interface TextMatch {
  /** Between a column and a pattern. */
  operator: string;
  /** Finds the text itself anywhere: a typed `%`, `_` or `*` is a plain character. */
  containing(text: string): string;
  beginning(text: string): string;
  /** Finds what fits as a whole; a `%` stands for any text. */
  fitting(pattern: string): string;
}

/**
 * Every letter is written as a class of its cases, `[éÉ]`: SQLite's `lower` knows ASCII letters only, and PostgreSQL's only those of
 * its locale, which in many installations is C.
 */
export const textMatches: Readonly<Record<'sqlite' | 'postgres', TextMatch>> = {
  sqlite: {
    operator: 'GLOB',
    containing: (text) => `*${classes(text, globSign)}*`,
    beginning: (text) => `${classes(text, globSign)}*`,
    fitting: (pattern) => pieces(pattern, globSign).join('*'),
  },
  postgres: {
    operator: '~',
    containing: (text) => classes(text, regularSign),
    beginning: (text) => `^${classes(text, regularSign)}`,
    fitting: (pattern) => `^${pieces(pattern, regularSign).join('.*')}$`,
  },
};

const pieces = (pattern: string, sign: (character: string) => string) =>
  pattern.split('%').map((piece) => classes(piece, sign));

function classes(text: string, sign: (character: string) => string): string {
  return [...text].map((character) => letterClass(character) ?? sign(character)).join('');
}

/** Undefined for what has no other case; `ß`, whose capital is two letters, is one of those. */
function letterClass(character: string): string | undefined {
  const cases = [character, character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1);
  const different = [...new Set(cases)];
  return different.length > 1 ? `[${different.join('')}]` : undefined;
}

const globSign = (character: string) => (/[*?[]/.test(character) ? `[${character}]` : character);

/** Without a backslash, which means something else in each way of quoting a text. */
function regularSign(character: string): string {
  if (character === '\\') return '[[.backslash.]]';
  if (character === '^') return '[[.circumflex.]]';
  return /[.*+?()[{}|$]/.test(character) ? `[${character}]` : character;
}
