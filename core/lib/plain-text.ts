const escapeCharacter = String.fromCharCode(27);
const sequence = new RegExp(`${escapeCharacter}\\[[0-9;?]*[ -/]*[@-~]|${escapeCharacter}[@-Z\\\\-_]`, 'g');

/** Text of others without terminal escape sequences and control characters (tab and line feed stay), for screens and log lines. */
export function plainText(text: string): string {
  const withoutSequences = text.includes(escapeCharacter) ? text.replace(sequence, '') : text;
  let result = '';
  for (const character of withoutSequences) {
    const code = character.charCodeAt(0);
    const isControl = (code < 32 && code !== 9 && code !== 10) || (code >= 127 && code < 160);
    if (!isControl) result += character;
  }
  return result;
}
