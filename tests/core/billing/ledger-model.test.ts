import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../core/lib/request-id.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  openLedger,
  settlementOf,
  tokenBooksOf,
} from '../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

/** More with LEDGER_SEEDS=100000 (nightly). */
const seeds = Number(process.env.LEDGER_SEEDS ?? 300);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('hold' as const), who: fc.nat(1), amount: fc.nat(400), bare: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('extend' as const), call: fc.nat(20), amount: fc.nat(200) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      call: fc.nat(20),
      actual: fc.nat(500),
      logged: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), call: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      who: fc.nat(1),
      ref: fc.nat(5),
      amount: fc.integer({ min: -300, max: 600 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      who: fc.nat(1),
      ref: fc.nat(5),
      amount: fc.integer({ min: -300, max: 600 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Person {
  userId: number;
  tokenId: number;
  user: { quota: number; used_quota: number; request_count: number };
  token: { remain_quota: number; used_quota: number };
}

interface Call {
  id: string;
  person: Person;
  tokenId: number;
  held: number;
  part: number;
  isOrphaned: boolean;
  hasEnded: boolean;
}

describe.each(engines)('ledger on %s', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let channelId: number;
  let runs = 0;

  beforeAll(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
    channelId = await addChannel(temporary);
  });
  afterAll(async () => {
    await ledger.close();
    await temporary.remove();
  });

  async function newPerson(): Promise<Person> {
    const userId = await addUser(temporary, ledger, 1000);
    const tokenId = await addToken(temporary, ledger, { userId, quota: 800 });
    return {
      userId,
      tokenId,
      user: { quota: 1000, used_quota: 0, request_count: 0 },
      token: { remain_quota: 800, used_quota: 0 },
    };
  }

  /** What the ledger promises, on plain numbers. */
  function expectedHold(person: Person, tokenId: number, amount: number): 'taken' | 'user' | 'token' {
    if (person.user.quota < amount) return 'user';
    if (tokenId !== 0 && person.token.remain_quota < amount) return 'token';
    person.user.quota -= amount;
    if (tokenId !== 0) person.token.remain_quota -= amount;
    return 'taken';
  }

  function giveBack(call: Call, used: number): void {
    const back = (call.isOrphaned ? 0 : call.held) - used;
    call.person.user.quota += back;
    call.person.user.used_quota += used;
    if (call.tokenId === 0) return;
    call.person.token.remain_quota += back;
    call.person.token.used_quota += used;
  }

  async function play(steps: Step[]): Promise<void> {
    const people = [await newPerson(), await newPerson()];
    const calls: Call[] = [];
    const refs = new Set<string>();
    const personOf = (who: number) => people[who] ?? expect.unreachable();
    const run = ++runs;

    for (const each of steps) {
      const call = 'call' in each ? calls[each.call % Math.max(calls.length, 1)] : undefined;
      if ('call' in each && !call) continue;
      if (each.do === 'hold') {
        const person = personOf(each.who);
        const tokenId = each.bare ? 0 : person.tokenId;
        const id = newRequestId();
        const result = await ledger.hold({ id, userId: person.userId, tokenId, amount: each.amount });
        const expected = expectedHold(person, tokenId, each.amount);
        expect(result.ok ? 'taken' : result.refused).toBe(expected);
        if (expected === 'taken') {
          calls.push({ id, person, tokenId, held: each.amount, part: 1, isOrphaned: false, hasEnded: false });
        }
      } else if (each.do === 'extend' && call) {
        const { id, person, tokenId } = call;
        const result = await ledger.hold({
          id,
          userId: person.userId,
          tokenId,
          amount: each.amount,
          part: call.part + 1,
        });
        const expected = call.hasEnded ? 'ended' : expectedHold(person, tokenId, each.amount);
        expect(result.ok ? 'taken' : result.refused).toBe(expected);
        if (expected === 'taken') {
          call.held = each.amount + (call.isOrphaned ? 0 : call.held);
          call.isOrphaned = false;
          call.part++;
        }
      } else if (each.do === 'settle' && call) {
        const { log, usage, ...bare } = settlementOf({
          id: call.id,
          userId: call.person.userId,
          tokenId: call.tokenId,
          channelId,
          actual: each.actual,
        });
        const held = each.actual % 3 === 0 ? undefined : call.held;
        const settlement = each.logged ? { ...bare, log, usage, held } : { ...bare, held };
        const outcomes = await Promise.all(Array.from({ length: each.times }, () => ledger.settle(settlement)));
        expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(call.hasEnded ? 0 : 1);
        if (!call.hasEnded) {
          giveBack(call, each.actual);
          call.person.user.request_count++;
        }
        call.hasEnded = true;
      } else if (each.do === 'release' && call) {
        await ledger.release({ id: call.id, userId: call.person.userId, tokenId: call.tokenId, held: call.held });
        if (!call.hasEnded) giveBack(call, 0);
        call.hasEnded = true;
      } else if (each.do === 'credit' || each.do === 'grant') {
        const person = personOf(each.who);
        const kind = each.do === 'grant' ? 'token_grant' : 'admin';
        const ref = `${run}-${each.ref}`;
        const isNew = !refs.has(kind + ref);
        refs.add(kind + ref);
        const { userId } = person;
        const tokenId = each.do === 'grant' ? person.tokenId : 0;
        expect(await ledger.credit({ userId, tokenId, kind, ref, amount: each.amount, actorId: 1 })).toBe(isNew);
        if (isNew && each.do === 'grant') person.token.remain_quota += each.amount;
        else if (isNew) person.user.quota += each.amount;
      } else if (each.do === 'die') {
        // As if the process that holds them had ended: they have no living owner.
        await temporary.database.sequelize.query(`UPDATE quota_holds SET owner = 'gone' WHERE state = 0`);
        await ledger.sweep();
        for (const open of calls.filter(({ hasEnded, isOrphaned }) => !hasEnded && !isOrphaned)) {
          giveBack(open, 0);
          open.isOrphaned = true;
        }
      }
    }
    for (const { userId, tokenId, user, token } of people) {
      expect(await booksOf(temporary, userId)).toEqual(user);
      expect(await tokenBooksOf(temporary, tokenId)).toEqual(token);
    }
    // Ended here, so that the next run begins with an empty table.
    for (const { id, person, tokenId } of calls) await ledger.release({ id, userId: person.userId, tokenId });
  }

  it(
    'keeps the same books as a plain model, whatever happens in whatever order',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), play), { numRuns: seeds });
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
    },
    Math.max(120_000, seeds * 500),
  );
});
