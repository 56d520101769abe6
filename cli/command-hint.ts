/** Commands named in a text, made to meet the same installation: `tollgate channel list` with the `--data-dir` of this call. */
export function withDataDirectory(text: string, dataDir: string, nouns: readonly string[]): string {
  const flag = `--data-dir ${/^[\w./~@:+-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", "'\\''")}'`}`;
  return text.replace(/\btollgate (?=([a-z-]+))/g, (words: string, noun: string) =>
    nouns.includes(noun) ? `${words}${flag} ` : words,
  );
}
