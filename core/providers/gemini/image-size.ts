/** The ratio among those offered that is nearest to a size in OpenAI's form (`1536x1024`) or to a ratio (`16:9`). */
export function aspectRatio(size: unknown, offered: readonly string[]): string | undefined {
  const [width, height] = sidesOf(size);
  if (!width || !height) return undefined;
  // Twice as wide is as far away as half as wide.
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log((width / height) * (down / across)));
  };
  return offered.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** Google's name of a resolution, undefined for the default one. */
export function imageSize(size: unknown): '2K' | '4K' | undefined {
  const maxSide = typeof size === 'string' && size.includes(':') ? 0 : Math.max(...sidesOf(size), 0);
  if (maxSide > 3000) return '4K';
  return maxSide >= 2000 ? '2K' : undefined;
}

function sidesOf(size: unknown): number[] {
  const [, width, height] = /^(\d{1,5})[x*:](\d{1,5})$/.exec(typeof size === 'string' ? size : '') ?? [];
  return width && height ? [Number(width), Number(height)] : [];
}
