/** Hints of OpenAI's newer versions that other vendors refuse or ignore, and that change no response a client relies on. */
export const newerHints: readonly string[] = [
  'store',
  'metadata',
  'service_tier',
  'prediction',
  'verbosity',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'moderation',
];

export function withoutHint(...kept: string[]): readonly string[] {
  return newerHints.filter((hint) => !kept.includes(hint));
}
