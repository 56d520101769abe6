import { describe, expect, it } from 'vitest';
import type { Log } from '../../../../core/schemas/log.ts';
import { csvLines } from '../../../../core/services/log/csv.ts';

describe('a log row as CSV', () => {
  const cellOf = (token_name: string) => csvLines([{ created_at: 0, token_name } as unknown as Log]).split(',')[4];

  // Spreadsheets in Chinese and Japanese take the wide signs for the narrow ones.
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20SUM(A1)'])(
    'B65 has %s as a text',
    (name) => {
      expect(cellOf(name)).toBe(`"'${name}"`);
    },
  );

  it('leaves other names as they are', () => {
    expect(['a=1', 'night-job', '1 + 1'].map(cellOf)).toEqual(['a=1', 'night-job', '1 + 1']);
  });
});
