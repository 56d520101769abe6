import type { Page } from 'playwright-core';

/** A tone of so many seconds as a WAV file that any player plays. */
export function toneBytes(seconds: number): Buffer {
  const rate = 8000;
  const samples = seconds * rate;
  const bytes = Buffer.alloc(44 + samples, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  // PCM, one channel, one byte for a sample.
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1)
    bytes[44 + at] = 128 + Math.round(60 * Math.sin((at * 440 * 2 * Math.PI) / rate));
  return bytes;
}

/** A picture of one color with a circle, drawn by the browser. */
export async function pictureBytes(page: Page, color: string): Promise<Buffer> {
  const base64 = await page.evaluate((fill) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 512, height: 512 });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser cannot draw');
    context.fillStyle = fill;
    context.fillRect(0, 0, 512, 512);
    context.fillStyle = 'white';
    context.arc(256, 256, 140, 0, 7);
    context.fill();
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, color);
  return Buffer.from(base64, 'base64');
}

/** About a second of moving picture as the browser itself records it, in WebM. */
export async function videoBytes(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 24 && context; frame += 1) {
      context.fillStyle = `hsl(${frame * 15} 70% 50%)`;
      context.fillRect(0, 0, 320, 180);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}
