/**
 * A script in ASCII alone. `bin/kept-script.ts` reads one byte a letter, and esbuild escapes every other letter in texts and names, but none in
 * a regular expression: a rule with Chinese words in it would match nothing.
 */
export function inAscii(script: string): string {
  const quoted = /(?<!\\)(?:\\\\)*\\[\u0080-\uffff]/.exec(script);
  if (quoted)
    throw new Error(
      `a backslash stands before a letter beyond ASCII: ${script.slice(quoted.index - 60, quoted.index + 60)}`,
    );
  // Both halves of a letter outside the first plane: a regular expression reads them as it reads the letter.
  return script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
