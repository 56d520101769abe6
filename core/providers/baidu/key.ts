import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';

/** An application's pair, exchanged for a token; or a key of the newer interface, which goes as it is. */
export type BaiduKey =
  | { kind: 'v1'; apiKey: string; secretKey: string }
  | { kind: 'v2'; key: string; appId: string | undefined };

export function readBaiduKey(key: string): BaiduKey {
  const parts = key.split('|').map((part) => part.trim());
  const [first = '', second = ''] = parts;
  if (parts.length > 2 || parts.includes('')) throw wrongForm();
  // The newer keys say what they are; an application's id does so too.
  const isNewer = first.startsWith('bce-v3/') || second.startsWith('app-');
  if (isNewer) return { kind: 'v2', key: first, appId: parts.length === 2 ? second : undefined };
  if (parts.length !== 2) throw wrongForm();
  return { kind: 'v1', apiKey: first, secretKey: second };
}

/** For calls that must not fail before their channel is chosen: what has no known form is refused with the call. */
export function isNewerBaiduKey(key: string): boolean {
  return key.trim().startsWith('bce-v3/') || /^[^|]+\|\s*app-/.test(key);
}

function wrongForm(): AppError {
  return new AppError('provider.keyForm', { form: coded('channel.baiduKey') });
}
