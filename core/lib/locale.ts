/** The language of the environment's locale; English unless it is Chinese. */
export function localeLanguage(environment: Record<string, string | undefined>): 'zh' | 'en' {
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** By the locale: what is not UTF-8 shows boxes or worse. Windows has no locale variables and shows Unicode. */
export function showsUnicode(environment: Record<string, string | undefined>, platform = process.platform): boolean {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG;
  return locale ? /utf-?8/i.test(locale) : platform === 'win32';
}
