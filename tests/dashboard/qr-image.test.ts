import jsQr from 'jsqr';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { QrImage } from '../../dashboard/src/pages/setting/personal/qr-image.tsx';

const pixelsPerModule = 4;

/** What a camera reads from the picture. */
function read(markup: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1]) * pixelsPerModule;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < pixelsPerModule; dy += 1) {
      const start = ((Number(y) * pixelsPerModule + dy) * size + Number(x) * pixelsPerModule) * 4;
      for (let at = 0; at < pixelsPerModule; at += 1) pixels.set([0, 0, 0, 255], start + at * 4);
    }
  }
  return jsQr(pixels, size, size)?.data;
}

describe('the QR code for an authenticator app', () => {
  it.each([
    'otpauth://totp/Tollgate:alice?secret=JBSWY3DPEHPK3PXP&issuer=Tollgate',
    `otpauth://totp/${encodeURIComponent('网关'.repeat(12))}:alice?secret=JBSWY3DPEHPK3PXP`,
    'x'.repeat(331),
  ])('is what a camera reads: %s', (text) => {
    const markup = renderToStaticMarkup(createElement(QrImage, { text, label: 'a picture' }));
    expect(markup).toContain('aria-label="a picture"');
    expect(read(markup)).toBe(text);
  });
});
