import { TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import type { Protocol } from '../../wire/protocol.ts';

const rule = { isForbidden: false, countsStrings: false, countsKeys: false, maxCount: Number.POSITIVE_INFINITY };

/** Pictures in a whole response; undefined for protocols that are not paid by them. */
export function countPictures({ pictureMember }: Protocol, response: unknown): number | undefined {
  if (pictureMember === undefined) return undefined;
  const list = isJsonObject(response) ? response[pictureMember] : undefined;
  return Array.isArray(list) ? list.length : 0;
}

/** Counts the pictures of a response that is too long to be kept, while it goes by. */
export class PassedPictures {
  private scanner: TopLevelScanner | undefined = new TopLevelScanner({ ruleFor: () => rule });
  private readonly member: string;

  constructor(member: string) {
    this.member = member;
  }

  push(bytes: Buffer): void {
    try {
      this.scanner?.push(bytes);
    } catch (error) {
      if (!(error instanceof JsonScanError)) throw error;
      this.scanner = undefined; // it goes to the client as it is, and is paid as it was ordered
    }
  }

  /** Those that are whole; undefined when the response is not JSON. */
  get count(): number | undefined {
    return this.scanner?.wholeElements(this.member);
  }
}
