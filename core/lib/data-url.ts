import type { Steps } from './steps.ts';
import { withoutSpaces } from './without-spaces.ts';

export interface DataUrl {
  type: 'data';
  mime: string;
  data: string;
}

/** The bytes of a `data:` address as base64 without line breaks; undefined when the text is another address. */
export function* readDataUrl(url: string): Steps<DataUrl | undefined> {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.indexOf(',');
  if (comma < 0) return undefined;
  const [mime = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64');
  const rest = url.slice(comma + 1);
  // RFC 2397: without a type it is plain text.
  return {
    type: 'data',
    mime: mime.trim().toLowerCase() || 'text/plain',
    data: isBase64 ? yield* packed(rest) : encoded(rest),
  };
}

export function writeDataUrl({ mime, data }: { mime: string; data: string }): string {
  return `data:${mime};base64,${data}`;
}

function* packed(base64: string): Steps<string> {
  return yield* withoutSpaces(base64.includes('%') ? decodeLoosely(base64) : base64);
}

function encoded(text: string): string {
  return Buffer.from(decodeLoosely(text)).toString('base64');
}

/** A lone percent sign stands for itself. */
function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
