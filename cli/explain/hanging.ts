import stringWidth from 'string-width';

/** A label and a text beside it that goes on below itself, not below the label. */
export function hanging(label: string, text: string, indent: number, width: number): string[] {
  const head = indent === 0 ? '' : label + ' '.repeat(Math.max(indent - stringWidth(label), 2));
  const room = Math.max(width - indent, 20);
  const [first = '', ...rest] = text.split('\n').flatMap((line) => wrap(line, room));
  return [`${head}${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(indent) + line)];
}

/** Texts under each other, beside their labels. */
export function rowLines(rows: readonly (readonly [label: string, text: string])[], width: number): string[] {
  const indent = widest(rows.map(([label]) => label)) + 4;
  return rows.flatMap(([label, text]) => hanging(`  ${label}`, text, indent, width));
}

/** Between words, or where a word alone is too long, as in a language that sets no spaces. */
function wrap(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const joined = line === '' ? word : `${line} ${word}`;
    if (stringWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(...pieces(word, room, line === '' ? lines : undefined));
  }
  return lines.filter((line, index) => line !== '' || index === 0);
}

/** A whole word, or its parts as far as it is longer than a line. */
function pieces(word: string, room: number, empty: string[] | undefined): string[] {
  if (empty) empty.pop();
  const parts = [''];
  for (const character of word) {
    const part = parts.at(-1) ?? '';
    if (stringWidth(part + character) <= room) parts[parts.length - 1] = part + character;
    else parts.push(character);
  }
  return parts;
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

export function widest(texts: string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}
