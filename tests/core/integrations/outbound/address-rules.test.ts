import { describe, expect, it } from 'vitest';
import {
  type AddressRules,
  checkAddress,
  checkChannelBaseUrl,
  checkUrl,
  type OutboundProfile,
} from '../../../../core/integrations/outbound/address-rules.ts';
import { classifyIp } from '../../../../core/integrations/outbound/ip-class.ts';
import { parseProxy } from '../../../../core/integrations/outbound/proxy-tunnel.ts';

const rules: AddressRules = {
  upstreamPrivate: ['ollama.lan', '10.20.0.0/16', '192.168.1.5'],
  closedEndpoints: [
    { host: '0.0.0.0', port: 3000 },
    { host: 'db.internal', port: 5432 },
    { host: '10.20.0.9', port: 6379 },
  ],
  localAddresses: ['192.168.1.5', '127.0.0.1'],
};
const openRules: AddressRules = { upstreamPrivate: [], closedEndpoints: [] };

function refusalOf(url: string, profile: OutboundProfile, withRules = rules) {
  return checkUrl(new URL(url), profile, withRules);
}

describe('base URL', () => {
  it.each([
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'not a url',
    '',
    'http://user:secret@example.com',
    'http://user@example.com',
    'https://example.com/#part',
    'https://example.com/#',
    'https://example.com.',
    'http://169.254.169.254',
    'http://[::ffff:a9fe:a9fe]',
    'http://2852039166',
    'http://0xa9.254.169.254',
    'http://0251.0376.0251.0376',
    'http://169.254.43518',
    'http://169.254.169.254.',
    'http://①②⑦.0.0.1',
    'http://１２７.0.0.1',
    'http://127。0。0。1',
    'http://127.1',
    'http://0/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[::a9fe:a9fe]/',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://100.100.100.200',
    'http://metadata.google.internal/computeMetadata',
    'http://METADATA.google.internal',
    'http://127.0.0.1:3000',
    'http://localhost:3000/v1',
    'http://192.168.1.5:3000',
    'http://[::1]:3000',
    'http://db.internal:5432',
    'http://10.20.0.9:6379',
    'https://example.com\\@127.0.0.1/',
    'https://exam\tple.com/',
  ])('refuses %s, even when root saves it', (text) => {
    expect(() => checkChannelBaseUrl(text, 'operatorPrivate', rules)).toThrow(/are not allowed/);
  });

  it('says nothing about user name and password when it refuses them', () => {
    expect(() => checkChannelBaseUrl('http://admin:hunter2@example.com', 'operator', rules)).toThrow(
      expect.objectContaining({ code: 'outbound.refused', message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('lets root save a private or loopback address, and an admin only a listed one', () => {
    for (const url of [
      'http://127.0.0.1:11434',
      'http://localhost:8000/v1',
      'http://172.16.3.4',
      'http://[fd12::1]:80',
    ]) {
      expect(() => checkChannelBaseUrl(url, 'operatorPrivate', rules)).not.toThrow();
      expect(() => checkChannelBaseUrl(url, 'operator', rules)).toThrow(/private network address/);
    }
    expect(checkChannelBaseUrl('http://10.20.3.4:8000', 'operator', rules)).toBe('http://10.20.3.4:8000');
    expect(checkChannelBaseUrl('http://192.168.1.5:11434/', 'operator', rules)).toBe('http://192.168.1.5:11434');
  });

  it('keeps public addresses, paths and queries, and drops a slash at the end', () => {
    expect(checkChannelBaseUrl(' https://api.example.com/v1/ ', 'operator', rules)).toBe('https://api.example.com/v1');
    expect(checkChannelBaseUrl('https://Example.com:8443', 'operator', rules)).toBe('https://example.com:8443');
    expect(checkChannelBaseUrl('https://bücher.example', 'operator', rules)).toBe('https://xn--bcher-kva.example');
    expect(checkChannelBaseUrl('http://8.8.8.8/a?b=c', 'operator', rules)).toBe('http://8.8.8.8/a?b=c');
  });
});

describe('an address a user gives', () => {
  it.each([
    ['http://example.com:22/', 'port'],
    ['http://example.com:3128/', 'port'],
    ['http://127.0.0.1/', 'private-address'],
    ['http://localhost:8080/', 'private-address'],
    ['http://app.localhost/', 'private-address'],
    ['http://10.20.3.4/', 'private-address'],
    ['http://[::1]/', 'private-address'],
    ['http://[::ffff:10.0.0.1]/', 'private-address'],
    ['http://[64:ff9b::10.0.0.1]/', 'private-address'],
    ['http://100.64.0.1/', 'private-address'],
    ['http://198.18.0.1/', 'private-address'],
    ['http://2130706433/', 'private-address'],
    ['http://169.254.1.1/', 'special-address'],
    ['http://240.0.0.1/', 'special-address'],
    ['http://metadata.google.internal./', 'metadata'],
    ['http://user@example.com/', 'credentials'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
  ])('%s is refused: %s', (url, refusal) => {
    expect(refusalOf(url, 'user')).toBe(refusal);
  });

  it('is fine when it is public and on a usual port', () => {
    for (const url of [
      'http://1.1.1.1/',
      'https://example.com/a.png',
      'http://example.com:8080/',
      'https://[2606:4700::1]:8443/',
    ]) {
      expect(refusalOf(url, 'user')).toBeUndefined();
    }
  });
});

describe('closed endpoint', () => {
  it('closes only its own port', () => {
    expect(refusalOf('http://127.0.0.1:3001', 'operatorPrivate')).toBeUndefined();
    expect(refusalOf('http://8.8.8.8:3000', 'operatorPrivate')).toBeUndefined();
  });

  it('on loopback is closed under every name of loopback', () => {
    const closed = { ...openRules, closedEndpoints: [{ host: 'localhost', port: 5432 }] };
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'localhost.']) {
      expect(refusalOf(`http://${host}:5432`, 'operatorPrivate', closed)).toBe('own-endpoint');
    }
  });

  it('is found behind any name that resolves to it', () => {
    const target = { address: '10.20.0.9', port: 6379, host: 'cache.example.com' };
    expect(checkAddress(target, 'operatorPrivate', rules)).toBe('own-endpoint');
  });
});

describe('UPSTREAM_PRIVATE', () => {
  it('opens a listed host name for operators, never for users', () => {
    const target = { address: '192.168.7.7', port: 443, host: 'ollama.lan' };
    expect(checkAddress(target, 'operator', rules)).toBeUndefined();
    expect(checkAddress(target, 'user', rules)).toBe('private-address');
    expect(checkAddress({ ...target, host: 'evil.ollama.lan' }, 'operator', rules)).toBe('private-address');
  });

  it.each([['[fd00::1]'], ['[fd00::1]:8080'], ['fd00::1']])('opens an IPv6 address that is listed as %s', (entry) => {
    const host = { address: 'fd00::1', port: 8080, host: 'fd00::1' };
    expect(checkAddress(host, 'operator', { ...openRules, upstreamPrivate: [entry] })).toBeUndefined();
  });

  it('does not open what is always refused', () => {
    const wide = { ...openRules, upstreamPrivate: ['0.0.0.0/0', 'metadata.google.internal', '169.254.169.254'] };
    const target = { address: '169.254.169.254', port: 80, host: 'metadata.google.internal' };
    expect(checkAddress(target, 'operator', wide)).toBe('special-address');
  });
});

describe('IP class', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['2002:808:808::1', 'public'],
    ['2002:a00:1::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['fe80::1%eth0', 'never'],
    ['192.0.2.1', 'never'],
    ['168.63.129.16', 'never'],
    ['2001:db8::1', 'never'],
    ['2001:0:1::1', 'never'],
    ['::', 'never'],
    ['::1', 'private'],
    ['64:ff9b:1::1', 'private'],
    ['2606:4700::5efe:a00:1', 'never'],
    ['4000::1', 'never'],
    ['0x7f.1', 'never'],
    ['text', 'never'],
  ])('%s is %s', (address, expected) => {
    expect(classifyIp(address)).toBe(expected);
  });
});

describe('proxy address', () => {
  it('is refused when it is not an address', () => {
    for (const text of ['ftp://x:21', 'socks4://x', 'x:80', '', 'http://x/path', 'http://%@x', 'socks5://'])
      expect(parseProxy(text)).toBeUndefined();
  });

  it('is read with its name, password and usual port', () => {
    expect(parseProxy('socks5h://me:p%40ss@proxy.example')).toEqual({
      kind: 'socks5',
      host: 'proxy.example',
      port: 1080,
      username: 'me',
      password: 'p@ss',
    });
  });
});
