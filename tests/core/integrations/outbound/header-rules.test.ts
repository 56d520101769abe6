import { describe, expect, it } from 'vitest';
import { clientHeaders } from '../../../../core/integrations/outbound/header-rules.ts';

const seenBy = (headers: Parameters<typeof clientHeaders>[0]) => {
  const list = clientHeaders(headers, { now, secrets: ['sk-operator-0123456789'] });
  return Object.fromEntries(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : [])));
};
const now = Date.parse('2025-06-01T12:00:00Z');

describe('headers for the client', () => {
  it('are those of the list and no others', () => {
    const upstream = {
      'content-type': 'text/event-stream',
      'x-ratelimit-remaining-tokens': '12',
      'openai-processing-ms': '88',
      'x-request-id': 'req_1',
      'retry-after': '7',
      'set-cookie': ['a=b', 'c=d'],
      location: 'http://inside/',
      'content-security-policy': "default-src 'none'",
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=1',
      'openai-organization': 'org-secret',
      connection: 'keep-alive',
      'content-encoding': 'gzip',
      'content-length': '10',
      'transfer-encoding': 'chunked',
      server: 'nginx',
    };
    expect(seenBy(upstream)).toEqual({
      'content-type': 'text/event-stream',
      'x-ratelimit-remaining-tokens': '12',
      'openai-processing-ms': '88',
      'x-upstream-request-id': 'req_1',
      'retry-after': '7',
    });
  });

  it('pass only the figures of known names, and no id that shows the key', () => {
    const names = ['limit', 'remaining', 'reset'].flatMap((kind) => [`${kind}-requests`, `${kind}-tokens`]);
    const known = Object.fromEntries(names.map((name) => [`x-ratelimit-${name}`, '6m0.5s']));
    expect(seenBy({ ...known, 'x-ratelimit-account': 'operator', 'x-ratelimit-anything': '5' })).toEqual(known);
    expect(seenBy({ 'x-ratelimit-limit-tokens': 'sk-operator-0123456789' })).toEqual({});
    expect(seenBy({ 'x-request-id': 'SK-OPERATOR-0123456789', 'openai-version': 'team of mine' })).toEqual({});
    expect(seenBy({ 'x-request-id': 'req-r-0123456789' })).toEqual({});
  });

  it('leave out values a server may not send', () => {
    const upstream = { 'content-type': 'a\u0001b', 'x-ratelimit-limit': '\u4e2d', 'x-request-id': 'x'.repeat(5_000) };
    expect(seenBy(upstream)).toEqual({});
  });
});

describe('Retry-After for the client', () => {
  it.each([
    [{ 'retry-after': '20' }, 20],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '-5' }, 1],
    [{ 'retry-after': '999999999999' }, 3_600],
    [{ 'retry-after': 'Sun, 01 Jun 2025 12:00:30 GMT' }, 30],
    [{ 'retry-after': 'Sun, 01 Jun 2003 12:00:30 GMT' }, 1],
    [{ 'retry-after': 'Sun, 01 Jun 2099 12:00:30 GMT' }, 3_600],
    [{ 'retry-after-ms': '2500', 'retry-after': '60' }, 3],
    [{ 'retry-after-ms': 'soon', 'retry-after': ['60', '70'] }, 60],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('%j is %s s', (headers, expected) => {
    const seconds = seenBy(headers)['retry-after'];
    expect(seconds).toBe(expected === undefined ? undefined : String(expected));
  });
});
