import { describe, expect, it } from 'vitest';
import { compileIpList, parseIpList } from '../../../core/lib/ip-list.ts';

describe('address list', () => {
  it('keeps one spelling per address and names invalid ones', () => {
    expect(parseIpList('1.2.3.4\n::ffff:1.2.3.4, 2001:DB8::1\r\n10.0.0.0/8 ::ffff:10.0.0.0/104')).toEqual({
      entries: ['1.2.3.4', '2001:db8::1', '10.0.0.0/8'],
      invalid: [],
    });
    expect(
      parseIpList('999.1.1.1 010.1.1.1.1 2130706433 0x7f.1 1.2.3.4/33 1.2.3.4/8/8 fe80::1%eth0 host').invalid,
    ).toHaveLength(8);
  });

  it('takes the commas of Chinese keyboards for separators', () => {
    const text = '1.2.3.4，10.0.0.0/8、2001:db8::1';
    expect(parseIpList(text)).toEqual({ entries: ['1.2.3.4', '10.0.0.0/8', '2001:db8::1'], invalid: [] });
    expect(compileIpList(text)?.('10.1.2.3')).toBe(true);
  });

  it('lets in the listed addresses only, however they are spelled', () => {
    const allows = compileIpList('1.2.3.4\n10.0.0.0/8\n2001:db8::/32');
    expect(['1.2.3.4', '::ffff:1.2.3.4', '10.255.0.1', '2001:db8:1::5'].map((address) => allows?.(address))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['1.2.3.5', '11.0.0.1', '2001:db9::1', '', 'x'].map((address) => allows?.(address))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is not a limit when it is empty', () => {
    expect(compileIpList(' \n')).toBeUndefined();
  });

  // An imported row may contain anything: what its owner meant as a limit must not become none.
  it.each(['office.example.com', '10.0.0.1;10.0.0.2', '192.168.1.*'])('S9 lets no address in by %s alone', (text) => {
    const allows = compileIpList(text);
    expect(['10.0.0.1', '192.168.1.5', '203.0.113.9'].map((address) => allows?.(address))).toEqual(
      Array(3).fill(false),
    );
    expect(compileIpList(`${text}\n203.0.113.9`)?.('203.0.113.9')).toBe(true);
  });
});
