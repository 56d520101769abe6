import { expect } from 'vitest';
import { prepareRates, priceQuota } from '../../../core/billing/price.ts';
import { type Bill, readBill } from '../../../core/billing/receipt.ts';
import type { Usage } from '../../../core/canonical/usage.ts';
import type { LogEntry, TestGateway } from '../../support/start-gateway.ts';

export interface WireError {
  message: string;
  type: string;
  param: string | null;
  code: string | number | null;
}

interface Expected {
  status: number;
  code?: string | number | null;
  param?: string;
  /** Part of the message. */
  says?: string | RegExp;
  /** Calls that may have reached the upstream; none when left out. */
  upstreamCalls?: number;
}

/**
 * A call that is turned away: status, OpenAI error shape, request id in body and header, and not one unit of quota moved or held.
 * Resolves with the error, so that a test may look closer.
 */
export async function expectRefused(
  gateway: TestGateway,
  call: () => Promise<Response>,
  { status, code, param, says, upstreamCalls = 0 }: Expected,
): Promise<WireError> {
  const before = { quota: await gateway.quotaOf(gateway.userId), logs: await gateway.logCount() };
  const calls = gateway.upstream.requests.length;
  const response = await call();
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const error = expectErrorShape(JSON.parse(text), requestIdOf(response));
  if (code !== undefined) expect(error.code).toBe(code);
  if (param !== undefined) expect(error.param).toBe(param);
  if (says !== undefined) expect(error.message).toMatch(says);
  expect(gateway.upstream.requests.length - calls, 'calls that reached the upstream').toBe(upstreamCalls);
  expect(await gateway.quotaOf(gateway.userId), 'balance').toBe(before.quota);
  expect(await gateway.logCount(), 'log rows').toBe(before.logs);
  expect(await openHolds(gateway), 'open holds').toBe(0);
  return error;
}

/** The OpenAI error object and nothing beside it; the message ends with the id that the log knows the call by. */
export function expectErrorShape(body: unknown, requestId: string): WireError {
  expect(body).toEqual({ error: expect.anything() });
  const { error } = body as { error: WireError };
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(typeof error.type).toBe('string');
  expect(error.message).toContain(`(request id: ${requestId})`);
  return error;
}

export function requestIdOf(response: Response): string {
  const id = response.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(response.headers.get('x-oneapi-request-id')).toBe(id);
  return id;
}

export async function openHolds({ app }: TestGateway): Promise<number> {
  const [row] = await app.database.select<{ count: number }>(
    'SELECT count(*) AS count FROM quota_holds WHERE state = 0',
  );
  return Number(row?.count);
}

export function billOf({ other }: LogEntry): Bill {
  const bill = readBill(JSON.stringify(other));
  if (!bill) throw new Error('the row carries no bill');
  return bill;
}

/** The last call's row; its charge is computed again from what the row itself says, and the books must agree with it. */
export async function expectCharged(gateway: TestGateway, usage: Partial<Usage> = {}): Promise<LogEntry> {
  const row = await gateway.lastLog();
  if (!row) throw new Error('no call was logged');
  const bill = billOf(row);
  expect(row.quota).toBe(priceQuota(prepareRates(bill.rates), bill.usage, bill.extras));
  expect(bill.usage).toMatchObject(usage);
  expect([row.prompt_tokens, row.completion_tokens]).toEqual([bill.usage.prompt, bill.usage.completion]);
  expect(await openHolds(gateway), 'open holds').toBe(0);
  await gateway.verifyBooks();
  return row;
}

interface AttemptRow {
  channel: number;
  outcome: string;
}

export function attemptsOf({ other }: LogEntry): AttemptRow[] {
  return (other.admin_info as { attempts: AttemptRow[] }).attempts;
}

/** What a call that is to be counted settles as soon as it can; polls, because the client is gone by then. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Another session has the accounts for so long: whatever the ledger writes waits for it. */
export function withLockedUsers({ app }: TestGateway, forMs: number): Promise<void> {
  const { transaction, sequelize, engine } = app.database;
  return transaction(async (transaction) => {
    // SQLite's transactions have the only write lock from their beginning.
    if (engine === 'postgres') await sequelize.query('SELECT 1 FROM users FOR UPDATE', { transaction });
    await new Promise((resolve) => setTimeout(resolve, forMs));
  });
}
