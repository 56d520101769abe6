/** The picture's address, when it is one a page may show: the vendor chose it. */
export function pictureAddress({ image_url: address }: { image_url: string }): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return ['https:', 'http:'].includes(new URL(address).protocol) ? address : undefined;
}
