import { coded } from '../../text/coded.ts';
import { sourceNames } from '../price-source.ts';
import { defineOption, type OptionReading, type OptionShape } from './kind.ts';

const maxCharacters = 2048;
/** Chat links may open an app by a scheme of its own, but never run or read anything in the page. */
const harmfulSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafeCharacters = /[\u0000-\u0020\u007f\\]/;

/** An http(s) address we build links from or call: no user info, no query, no fragment, no slash at the end. */
export function baseAddress(): OptionShape<string> {
  return address({ withPath: true });
}

/** As `baseAddress`, without a path: links are made by putting ours behind it. */
export function originAddress(): OptionShape<string> {
  return address({ withPath: false });
}

function address({ withPath }: { withPath: boolean }): OptionShape<string> {
  const form = coded('form.address');
  const read = (text: string): OptionReading<string> => {
    if (text.trim() === '') return { value: '' };
    const url = parseWebAddress(text.trim());
    const hasPath = url !== undefined && /[^/]/.test(url.pathname);
    if (url?.search !== '' || text.includes('#') || (hasPath && !withPath)) return { fault: { code: 'badLink', form } };
    return { value: text.trim().replace(/\/+$/, '') };
  };
  return defineOption<string>('text', '', { read, write: String });
}

/** An http(s) link people follow or a picture the page shows; `allowPath` also takes a path of this site. */
export function link({ allowPath = false } = {}): OptionShape<string> {
  const form = allowPath ? coded('form.linkOrPath') : coded('form.link');
  const read = (text: string): OptionReading<string> => {
    const trimmed = text.trim();
    const isPath = allowPath && /^\/[^/\\]/.test(trimmed) && !unsafeCharacters.test(trimmed);
    const isFine = trimmed === '' || isPath || parseWebAddress(trimmed) !== undefined;
    if (!isFine || trimmed.length > maxCharacters) return { fault: { code: 'badLink', form } };
    return { value: trimmed };
  };
  return defineOption<string>('text', '', { read, write: String });
}

/** A list of prices: one that is known by a name, or its address. */
export function priceSource(): OptionShape<string> {
  const form = coded('form.priceSource', { names: sourceNames.join(', ') });
  const read = (text: string): OptionReading<string> => {
    const trimmed = text.trim();
    if (trimmed === '') return { value: 'packaged' };
    const isNamed = sourceNames.some((name) => name === trimmed);
    return isNamed || parseWebAddress(trimmed) ? { value: trimmed } : { fault: { code: 'badLink', form } };
  };
  return defineOption<string>('text', 'packaged', { read, write: String });
}

/** A chat link template; `{key}` and `{address}` are filled in when it is opened. */
export function chatLink(): OptionShape<string> {
  const read = (text: string): OptionReading<string> => {
    const trimmed = text.trim();
    return trimmed === '' || isHarmlessLink(trimmed)
      ? { value: trimmed }
      : { fault: { code: 'badLink', form: coded('form.chatLink') } };
  };
  return defineOption<string>('text', '', { read, write: String });
}

export function isHarmlessLink(text: string): boolean {
  const filled = text.replace(/\{(key|address)\}/g, 'x');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip control characters inside a scheme
  if (/[\u0000-\u001f\u007f]/.test(text) || text.length > maxCharacters) return false;
  return URL.canParse(filled) && !harmfulSchemes.has(new URL(filled).protocol);
}

function parseWebAddress(text: string): URL | undefined {
  if (unsafeCharacters.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' && text.length <= maxCharacters ? url : undefined;
}
