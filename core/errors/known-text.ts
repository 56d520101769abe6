import { error as english } from '../text/en/error.ts';
import { error as chinese } from '../text/zh/error.ts';
import { detailZh, sentenceZh } from './detail-text.ts';

interface KnownText {
  form: RegExp;
  names: string[];
  zh: string;
}

/** Fewer fixed letters than this could be anybody's words. */
const leastFixed = 12;
let known: KnownText[] | undefined;

/**
 * Chinese for a text of ours that was written down in English, or passed on as text: why a channel went off, why a test failed. The
 * words of an upstream stay as they are.
 */
export function knownTextZh(text: string): string {
  // Why a channel went off stands behind the status of the answer.
  const status = /^\d{3} /.exec(text)?.[0];
  if (status) return status + knownTextZh(text.slice(status.length));
  const detail = sentenceZh(text);
  if (detail !== text) return detail;
  known ??= Object.entries(english).flatMap(([key, en]) => knownTextOf(en, chinese[key as keyof typeof chinese]));
  for (const { form, names, zh } of known) {
    const found = form.exec(text);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, detailZh(found[index + 1] ?? '')]));
    return zh.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  }
  return text;
}

function knownTextOf(en: string, zh: string): KnownText[] {
  const parts = en.split(/\{(\w+)\}/);
  const fixed = parts.filter((_part, index) => index % 2 === 0);
  if (fixed.join('').length < leastFixed) return [];
  const form = new RegExp(`^${fixed.map(escaped).join('(.*?)')}$`, 's');
  return [{ form, names: parts.filter((_part, index) => index % 2 === 1), zh }];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
