import { describe, expect, it } from 'vitest';
import { grouped } from '../../../cli/tui/grouped.ts';

describe('figures on a screen', () => {
  it.each([
    [12345, '12,345'],
    ['$1624.69', '$1,624.69'],
    ['$0.000062', '$0.000062'],
    ['-$1234567.5', '-$1,234,567.5'],
    [999, '999'],
    ['70000/812', '70,000/812'],
    ['9985-10000', '9,985-10,000'],
    ['unlimited', 'unlimited'],
  ])('are grouped: %s', (figure, text) => expect(grouped(figure)).toBe(text));
});
