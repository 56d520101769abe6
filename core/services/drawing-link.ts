import type { SecretBox } from '../lib/secret-box.ts';
import type { OptionService } from './option.ts';

interface DrawingLinkDependencies {
  /** Unix seconds. */
  now: () => number;
  secretBox: Pick<SecretBox, 'lookupHash' | 'lookupHashes'>;
  options: Pick<OptionService, 'get'>;
}

export type DrawingLinks = ReturnType<typeof createDrawingLinks>;

const hour = 3600;
const lifeSeconds = 24 * hour;
const signatureLength = 32;

/** Addresses under which this server shows a picture in its vendor's place. Whoever has one may look, until it ends. */
export function createDrawingLinks({ now, secretBox, options }: DrawingLinkDependencies) {
  const signed = (taskId: string, expires: string) => `drawing ${taskId} ${expires}`;

  /** The same for an hour, so that browsers keep the picture. */
  function path(taskId: string): string {
    const expires = String(Math.ceil(now() / hour) * hour + lifeSeconds);
    const signature = secretBox.lookupHash(signed(taskId, expires)).slice(0, signatureLength);
    return `/mj/image/${encodeURIComponent(taskId)}?expires=${expires}&signature=${signature}`;
  }

  return {
    /** What a page of this server is given for a picture at `vendorUrl`. */
    forConsole(taskId: string, vendorUrl: string): string {
      if (vendorUrl === '' || !options.get('MjForwardUrlEnabled')) return vendorUrl;
      return options.get('ServerAddress') + path(taskId);
    },
    /** What a caller elsewhere is given, who needs a whole address: without ServerAddress that is the vendor's. */
    forCaller(taskId: string, vendorUrl: string): string {
      const address = options.get('ServerAddress');
      if (vendorUrl === '' || address === '' || !options.get('MjForwardUrlEnabled')) return vendorUrl;
      return address + path(taskId);
    },
    isGood(taskId: string, query: URLSearchParams): boolean {
      const expires = query.get('expires') ?? '';
      const signature = query.get('signature') ?? '';
      if (!/^\d{1,12}$/.test(expires) || Number(expires) < now()) return false;
      return secretBox
        .lookupHashes(signed(taskId, expires))
        .some((hash) => hash.slice(0, signatureLength) === signature);
    },
  };
}
