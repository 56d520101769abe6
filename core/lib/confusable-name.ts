/**
 * Names that people take for others: invisible characters, letters of several alphabets in one name, and names that read alike
 * in different alphabets. Runs in the browser, too.
 */

/** Not shown, or shown as a blank; the plain space and the wide one of Chinese are ones that people type. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?![ \u3000])\p{Z}/u;
/** After a picture it only says that it is to be shown in color. */
const pictureStyle = /(?<=\p{Extended_Pictographic})\ufe0f/gu;

export function hasUnseen(name: string): boolean {
  return unseen.test(name.replace(pictureStyle, ''));
}

/** Alphabets whose letters look like those of the others. */
const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

export function mixesAlphabets(name: string): boolean {
  const plain = name.normalize('NFKC');
  return alphabets.filter((alphabet) => alphabet.test(plain)).length > 1;
}

/** Letters that look like Latin ones, in pairs. */
const pairs = [
  'аaАAВBсcСCԁdеeЕEһhНHіiІIјjЈJкkКKӏlмmМMоoОOрpРPԛqѕsЅSтtТTхxХXуyУYѵvԝw',
  'ΑAαaΒBΕEΖZΗHΙIιiΚKκkΜMΝNνvΟOοoΡPρpΤTτtΥYυuΧX',
  'օoհhսuոnցgԱUՕOՏSԼL',
  'ꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUꓜZ',
  'ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎥiᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZ',
  'ıiɑaɡgʏy',
];
const latinFor = new Map<string, string>();
for (const list of pairs) {
  const letters = [...list];
  for (let at = 0; at + 1 < letters.length; at += 2) latinFor.set(letters[at] ?? '', letters[at + 1] ?? '');
}

/** What a person reads, in small letters: two names with one skeleton look alike, whichever was there first. */
export function nameSkeleton(name: string): string {
  const letters = [...name.trim().normalize('NFKC')];
  return letters
    .map((letter) => latinFor.get(letter) ?? letter)
    .join('')
    .toLowerCase();
}
