/** How much is said in a second at the usual speed: letters, or characters that are a syllable each. */
const lettersPerSecond = 15;
const syllablesPerSecond = 5;
const syllable = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** The first of them; letters before it need no search. */
const firstSyllable = '\u1100';

/** About how long it takes to say a text. One pass without a list of matches: a text may be long. */
export function spokenSeconds(text: string, characters: number, speed = 1): number {
  let wide = 0;
  for (const character of text) if (character >= firstSyllable && syllable.test(character)) wide += 1;
  return (wide / syllablesPerSecond + (characters - wide) / lettersPerSecond) / speed;
}
