import { describe, expect, it } from 'vitest';
import { createSecretBox, SecretUnreadableError } from '../../../core/lib/secret-box.ts';

describe('secret box', () => {
  const box = createSecretBox(['current']);

  it('opens what it sealed, in the same place only', () => {
    const sealed = box.encrypt('sk-密钥', 'channels.key_encrypted.7');
    expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]{16}:[\w-]+$/);
    expect(box.decrypt(sealed, 'channels.key_encrypted.7')).toBe('sk-密钥');
    expect(() => box.decrypt(sealed, 'channels.key_encrypted.8')).toThrow(SecretUnreadableError);
  });

  it('seals the same text differently each time', () => {
    expect(box.encrypt('a', 'x')).not.toBe(box.encrypt('a', 'x'));
  });

  it('refuses a changed, cut or foreign text', () => {
    const sealed = box.encrypt('secret', 'x');
    const [version, id, nonce, body = ''] = sealed.split(':');
    const changed = [version, id, nonce, `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`].join(':');
    for (const text of [changed, sealed.slice(0, -6), `v1:${id}:${nonce}:AA`, 'plain', '', 'v2:a:b:c']) {
      expect(() => box.decrypt(text, 'x')).toThrow(SecretUnreadableError);
    }
    expect(() => createSecretBox(['other']).decrypt(sealed, 'x')).toThrow(SecretUnreadableError);
  });

  it('reads and finds what a former secret wrote after a rotation', () => {
    const rotated = createSecretBox(['new', 'current']);
    const sealed = box.encrypt('secret', 'x');
    expect(rotated.decrypt(sealed, 'x')).toBe('secret');
    expect(rotated.isCurrent(sealed)).toBe(false);
    expect(rotated.lookupHashes('key')).toEqual([rotated.lookupHash('key'), box.lookupHash('key')]);
    expect(rotated.lookupHash('key')).not.toBe(box.lookupHash('key'));
  });
});
