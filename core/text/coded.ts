import type { detail } from './en/detail.ts';

/** What a text is filled in with, by the names that are in its braces. */
export type Details = Record<string, string | number>;
export type DetailKey = keyof typeof detail;

/** No name and no word of an upstream holds it: control characters are refused in the one and masked in the other. */
const mark = '\u001e';
const codes = new RegExp(`${mark}([^${mark}]*)${mark}`, 'g');

/** A text whose language is not known yet: its key and what it is filled in with. It may stand inside another text. */
export const coded = (key: DetailKey, details: Details = {}): string => codedIn('detail', key, details);

export function codedIn(space: string, key: string, details: Details): string {
  return `${mark}${JSON.stringify([space, key, details])}${mark}`;
}

/** What is wrong, with the field it is wrong in, or the object that a person named. */
export const issueAt = (place: string, reason: string): string =>
  place === '' ? reason : coded('issue.at', { place, reason });

/** All that is wrong, each thing once. */
export const issueList = (reasons: string[]): string =>
  [...new Set(reasons)].reduce((what, reason) => coded('issue.also', { what, reason }));

/** The text with the words of every code in it. What only looks like a code stays as it is. */
export function decoded(text: string, fill: (space: string, key: string, details: Details) => string | undefined) {
  if (!text.includes(mark)) return text;
  return text.replace(codes, (whole, code: string) => {
    try {
      const [space, key, details] = JSON.parse(code);
      return fill(String(space), String(key), details) ?? whole;
    } catch {
      return whole;
    }
  });
}
