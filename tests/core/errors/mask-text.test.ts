import { describe, expect, it } from 'vitest';
import { maskText } from '../../../core/errors/mask-text.ts';

const key = 'tg-9fK2xQ7vLm4TzR8wYb1Nc6Hd3Jp5';
const secrets = [key, 'https://gpu-frontend.example.net:8443/v1'];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the text of an upstream', () => {
  it.each([
    ['whole', key],
    ['in capitals', key.toUpperCase()],
    ['its last 12 characters', key.slice(-12)],
    ['a piece of it', key.slice(5, 17)],
    ['as base64', base64(key)],
    ['as base64 for the web', Buffer.from(key).toString('base64url')],
    ['as base64 behind a name', base64(`user:${key}`)],
    ['as base64 between others', base64(`{"k":"${key}","n":1}`)],
    ['as hexadecimal digits', Buffer.from(key).toString('hex')],
    ['in an address', `key=${encodeURIComponent(key)}`],
  ])('does not show a key: %s', (_form, shown) => {
    const masked = maskText(`refused for "${shown}", ask again`, secrets);
    expect(masked).toMatch(/^refused for "[^"]*\*\*\*[^"]*", ask again$/);
    for (let at = 0; at + 10 <= shown.length; at += 1) expect(masked).not.toContain(shown.slice(at, at + 10));
  });

  it.each([
    'gpu-frontend.example.net',
    'GPU-Frontend.example.net:8443',
    'llm-3.internal',
    'db.prod.corp',
    'vllm.models.svc',
    'ip-10-0-13-7',
    '/srv/llm/run/server.py',
    '/home/operator/.env',
    '/models/secret/serve.py',
    'C:\\\\llm\\\\serve.exe',
  ])('does not show where it ran: %s', (place) => {
    expect(maskText(`failed at ${place} now`, secrets)).toMatch(/^failed at \[(address|path)\] now$/);
  });

  it('keeps what a caller needs', () => {
    const kept = [
      "The model 'gpt-4.1-mini-2025-04-14' does not exist or you do not have access to it.",
      'Invalid value for messages[0].content: see /v1/chat/completions and docs.',
      'This model supports at most 16384 completion tokens, whereas you provided 1000000.',
      'Unsupported parameter: response_format.json_schema.schema.additionalProperties',
      'req_0a1b2c3d4e5f60718293a4b5c6d7e8f9 was refused by the upstream after 3 attempts',
    ];
    for (const text of kept) expect(maskText(text, secrets)).toBe(text);
  });
});
