/**
 * SQL: quota of many rows together. As a float it stays exact up to 2^53, and what is more is shown to 16 digits, where a sum of integers
 * would end in an error on PostgreSQL, and beyond 2^63 on SQLite. PostgreSQL returns sums of decimals as text.
 */
export const sumOfQuota = (column = 'quota'): string => `sum(CAST(${column} AS DOUBLE PRECISION))`;
