import { describe, expect, it } from 'vitest';
import { hideSecrets, maskHeaders, maskUrl, secretsOf } from '../../../../core/relay/explain/mask-request.ts';

const key = 'AKIDEXAMPLE123456|wJalrXUtnFEMIK7MDENGbPxRfiCY|ap-southeast-2';

describe('a request that is shown', () => {
  it('S hides every part of a key, but not the region that is in an address', () => {
    const secrets = secretsOf(key);
    const text = 'https://runtime.ap-southeast-2.test/wJalrXUtnFEMIK7MDENGbPxRfiCY/AKIDEXAMPLE123456';
    expect(hideSecrets(text, secrets)).toBe('https://runtime.ap-southeast-2.test/wJ…fiCY/AK…3456');
  });

  it('S hides names and passwords in addresses, and keys in queries', () => {
    expect(maskUrl('http://me:word@proxy.test:8080', [])).toBe('http://…@proxy.test:8080');
    expect(maskUrl('https://a.test/v1?api-key=abc&version=2&key=d#e', [])).toBe(
      'https://a.test/v1?api-key=…&version=2&key=…#e',
    );
  });

  it('S hides what proves who we are by its header, also when it was computed', () => {
    const headers = { authorization: 'Bearer eyJhbGciOi.payload.signed', 'api-key': 'short', 'content-type': 'a/b' };
    expect(maskHeaders(headers, [])).toEqual({
      authorization: 'Bearer ey…gned',
      'api-key': '…',
      'content-type': 'a/b',
    });
  });

  it('S takes a service account apart', () => {
    const secrets = secretsOf('{"project_id":"p1","private_key":"-----BEGIN PRIVATE KEY-----"}');
    expect(secrets).toContain('-----BEGIN PRIVATE KEY-----');
    expect(secrets).not.toContain('p1');
  });
});
