import type { SecretBox } from '../../lib/secret-box.ts';
import type { OptionService } from '../option/option.ts';

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

/** A drawing: two users' jobs may have the same id where two upstreams count theirs. */
export interface LinkedDrawing {
  userId: number;
  taskId: string;
}

/** Addresses under which this server shows a picture in its vendor's place. They open for any reader, until they end. */
export function createDrawingLinks({ now, secretBox, options }: DrawingLinkDependencies) {
  const signed = (userId: string, taskId: string, expires: string) => `drawing ${userId} ${taskId} ${expires}`;

  /** The same for an hour, so that browsers keep the picture. */
  function path({ userId, taskId }: LinkedDrawing): string {
    const expires = String(Math.ceil(now() / hour) * hour + lifeSeconds);
    const signature = secretBox.lookupHash(signed(String(userId), taskId, expires)).slice(0, signatureLength);
    return `/mj/image/${encodeURIComponent(taskId)}?user=${userId}&expires=${expires}&signature=${signature}`;
  }

  return {
    /** What a page of this server is given for a picture at `vendorUrl`. */
    forConsole(drawing: LinkedDrawing, vendorUrl: string): string {
      if (vendorUrl === '' || !options.get('MjForwardUrlEnabled')) return vendorUrl;
      return options.get('ServerAddress') + path(drawing);
    },
    /** What a caller elsewhere is given, who needs a whole address: without ServerAddress that is the vendor's. */
    forCaller(drawing: LinkedDrawing, vendorUrl: string): string {
      const address = options.get('ServerAddress');
      if (vendorUrl === '' || address === '' || !options.get('MjForwardUrlEnabled')) return vendorUrl;
      return address + path(drawing);
    },
    /** Whose drawing it is; undefined for an address that was not given out here, or has ended. */
    ownerOf(taskId: string, query: URLSearchParams): number | undefined {
      const expires = query.get('expires') ?? '';
      const user = query.get('user') ?? '';
      const signature = query.get('signature') ?? '';
      if (!/^\d{1,12}$/.test(expires) || Number(expires) < now()) return undefined;
      const isGood = secretBox
        .lookupHashes(signed(user, taskId, expires))
        .some((hash) => hash.slice(0, signatureLength) === signature);
      return isGood ? Number(user) : undefined;
    },
  };
}
