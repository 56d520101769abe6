import type { Language } from '../errors/app-error.ts';

/** English unless Chinese is before it in Accept-Language (relay errors); \`fallback\` when neither is named. */
export function preferredLanguage(header: string | undefined, fallback: Language): Language {
  if (!header) return fallback;
  const ranked = header
    .slice(0, 256)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => quality > 0 && /^(zh|en)\b/.test(tag))
    .sort((a, b) => b.quality - a.quality);
  const [best] = ranked;
  return best ? (best.tag.startsWith('zh') ? 'zh' : 'en') : fallback;
}
