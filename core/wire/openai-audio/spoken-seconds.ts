/** How much is said in a second at the usual speed: letters, or signs that are a syllable each. */
const lettersPerSecond = 15;
const syllablesPerSecond = 5;
const syllables = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** About how long it takes to say a text. */
export function spokenSeconds(text: string, characters: number, speed = 1): number {
  const wide = text.match(syllables)?.length ?? 0;
  return (wide / syllablesPerSecond + (characters - wide) / lettersPerSecond) / speed;
}
