import pg from 'pg';

const int8 = 20;

/**
 * PostgreSQL sends 64-bit integers as text. All of ours stay within 2^53 (reliability: quota 0..2^53-1), so they become
 * numbers; one that does not is refused rather than rounded.
 */
pg.types.setTypeParser(int8, (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`64-bit value ${text} is outside the exact range`);
  return value;
});
