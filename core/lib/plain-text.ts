const escapeCharacter = String.fromCharCode(27);
const sequence = new RegExp(`${escapeCharacter}\\[[0-9;?]*[ -/]*[@-~]|${escapeCharacter}[@-Z\\\\-_]`, 'g');

/**
 * What a screen obeys or does not show: control characters (tab and line feed stay), marks that turn the direction of writing,
 * zero-width characters, line separators, fillers that are blank.
 */
const hidden =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2028\\u2029\\u3164\\uffa0\\p{Cf}]';
/** Some pictures are several, joined by a character that is hidden elsewhere. */
const joined = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})';
const anyHidden = new RegExp(hidden, 'u');
const allHidden = new RegExp(hidden, 'gu');
const allButJoined = new RegExp(`(?!${joined})${hidden}`, 'gu');

/** Text of others without terminal escape sequences and hidden characters, for screens and log lines. */
export function plainText(text: string): string {
  if (!anyHidden.test(text)) return text;
  return text.replace(sequence, '').replace(allButJoined, '');
}

/** JSON text that means the same and contains no hidden character as it is: they stand as escapes. */
export function plainJson(json: string): string {
  if (!anyHidden.test(json)) return json;
  return json.replace(allHidden, (found) => found.split('').map(escapeOf).join(''));
}

const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
