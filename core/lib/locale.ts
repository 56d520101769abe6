/** The language of the environment's locale; English unless it is Chinese. */
export function localeLanguage(environment: Record<string, string | undefined>): 'zh' | 'en' {
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
