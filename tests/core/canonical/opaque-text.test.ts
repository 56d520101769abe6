import { expect, it } from 'vitest';
import type { ChatProtocol, Opaque } from '../../../core/canonical/chat-request.ts';
import { opaqueMarks, unwrapOpaque, wrapOpaque } from '../../../core/canonical/opaque-text.ts';

const signature: Opaque = { origin: 'anthropic-messages', kind: 'signature', value: 'ErUB/+=~é' };
const fields: ChatProtocol[] = ['openai-chat', 'openai-responses', 'gemini'];

it.each(fields)('what another vendor signed comes back from a client of %s', (field) => {
  for (const length of [0, 1, 2, 3]) {
    const opaque = { ...signature, value: signature.value + 'x'.repeat(length), id: 'rs_1' };
    const text = wrapOpaque(opaque, field);
    expect(opaqueMarks.some((mark) => `"${text}"`.startsWith(mark))).toBe(true);
    expect(unwrapOpaque(text, field, 'signature')).toEqual(opaque);
    expect(unwrapOpaque(text.slice(0, -9), field, 'signature')).toBeUndefined();
  }
});

it('is base64 in the field of Google, which typed clients read as bytes', () => {
  for (const length of [0, 1, 2, 3]) {
    const text = wrapOpaque({ ...signature, value: `?>ÿ${'x'.repeat(length)}` }, 'gemini');
    expect(Buffer.from(text, 'base64').toString('base64')).toBe(text);
    // Python writes them in the other alphabet.
    const other = text.replaceAll('+', '-').replaceAll('/', '_');
    expect(unwrapOpaque(other, 'gemini', 'signature')).toEqual(unwrapOpaque(text, 'gemini', 'signature'));
  }
});

it('comes back from conversations that began before', () => {
  const json = JSON.stringify(['anthropic-messages', 'signature', 's1', '']);
  const old = `tollgate.${Buffer.from(json).toString('base64url')}`;
  expect(unwrapOpaque(old, 'gemini', 'signature')).toEqual({ ...signature, value: 's1' });
});

it('its own signature stays as it is', () => {
  const own: Opaque = { origin: 'gemini', kind: 'signature', value: 'c2ln' };
  expect(wrapOpaque(own, 'gemini')).toBe('c2ln');
  expect(unwrapOpaque('c2ln', 'gemini', 'signature')).toEqual(own);
});
