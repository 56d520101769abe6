import type { Drawing } from '../../../../core/schemas/drawing.ts';

/**
 * Where the page finds a picture; undefined when a page may show none, because the vendor chose the address. A link of
 * this server is followed at the address that the page itself was opened at, and again with each step that the drawing makes.
 */
export function pictureAddress({ image_url: given, progress }: Pick<Drawing, 'image_url' | 'progress'>) {
  if (given === '' || !URL.canParse(given, location.href)) return undefined;
  const address = new URL(given, location.href);
  if (address.pathname.includes('/mj/image/') && address.searchParams.has('signature')) {
    return `${address.pathname}${address.search}&progress=${encodeURIComponent(progress)}`;
  }
  return ['https:', 'http:'].includes(address.protocol) ? address.href : undefined;
}
