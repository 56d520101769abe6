import { readBudgets } from './budget-claim.ts';
import { type EndRow, type HoldRow, hourlyCell, unpairedHourEnd } from './ledger-store.ts';

/** A row that a batch changes, with what is added to its columns; the triggers in `sqlite-batch.ts` say to which. */
type Change =
  | [kind: 'user', id: number, back: number, used: number, calls: number]
  | [kind: 'token', id: number, back: number, used: number, calls: number, seen: number]
  | [kind: 'channel', id: number, back: number, used: number]
  | [kind: 'budget', limitId: number, used: number, unlogged: number, windowStart: number, subject: string]
  | [kind: 'unlogged', id: number, used: number, calls: number, seen: number, subject: string]
  | [kind: 'ended', id: 0, used: 0, calls: 0, seen: 0, call: string]
  | [kind: 'mark', id: 0, at: number, used: 0, calls: 0, name: string];

type Hour = [
  userId: number,
  model: string,
  hour: number,
  username: string,
  tokens: number,
  count: number,
  quota: number,
];
type Want = [kind: 'user' | 'token', id: number, total: number, userId: number];

/** What the ends of a batch change, each row once, so that a busy user's row is written once whatever the batch holds. */
export function sumEnds(ends: readonly EndRow[]): { changes: Change[]; hours: Hour[] } {
  const changes: Change[] = [];
  const users = new Map<number, Change>();
  const tokens = new Map<number, Change>();
  const channels = new Map<number, Change>();
  const hours = new Map<string, Hour>();
  let mark = 0;

  function add(kind: 'user' | 'token' | 'channel', known: Map<number, Change>, id: number, end: EndRow): void {
    if (id === 0) return;
    const { actual, counted, accessedAt } = end;
    const back = (end.held ?? 0) - actual;
    const seen = counted ? accessedAt : 0;
    const change = known.get(id);
    if (!change) {
      const made = [kind, id, back, actual, counted, seen] as Change;
      known.set(id, made);
      changes.push(made);
      return;
    }
    change[2] += back;
    change[3] += actual;
    (change[4] as number) += counted;
    if (seen > (change[5] as number)) change[5] = seen;
  }

  for (const end of ends) {
    add('user', users, end.userId, end);
    add('token', tokens, end.tokenId, end);
    // Without a row, this is what remembers that it has ended.
    if (end.counted === 0 || !end.log) changes.push(['ended', 0, 0, 0, 0, end.id]);
    if (end.counted === 0) continue;
    add('channel', channels, end.channelId, end);
    if (end.budgets) changes.push(...budgetChanges(end));
    if (!end.log && end.actual > 0) changes.push(...unloggedChanges(end));
    addHour(hours, end);
    mark = Math.max(mark, unpairedHourEnd(end) ?? 0);
  }
  if (mark > 0) changes.push(['mark', 0, mark, 0, 0, 'hourly']);
  return { changes, hours: [...hours.values()] };
}

/** What the holds of a batch take from each user and token; users first. */
export function sumHolds(holds: readonly HoldRow[]): Want[] {
  const users = new Map<number, Want>();
  const tokens = new Map<number, Want>();
  for (const { userId, tokenId, amount } of holds) {
    addWant(users, ['user', userId, amount, userId]);
    if (tokenId !== 0) addWant(tokens, ['token', tokenId, amount, userId]);
  }
  return [...users.values(), ...tokens.values()];
}

function addWant(known: Map<number, Want>, want: Want): void {
  const other = known.get(want[1]);
  if (other) other[2] += want[2];
  else known.set(want[1], want);
}

function addHour(hours: Map<string, Hour>, end: EndRow): void {
  const cell = hourlyCell(end);
  if (!cell) return;
  const { model_name, hour, username, token_used } = cell;
  const key = `${end.userId} ${hour} ${model_name}`;
  const known = hours.get(key);
  if (!known) {
    hours.set(key, [end.userId, model_name, hour, username, token_used, 1, end.actual]);
    return;
  }
  known[3] = username;
  known[4] += token_used;
  known[5] += 1;
  known[6] += end.actual;
}

function budgetChanges({ budgets, actual, log }: EndRow): Change[] {
  return readBudgets(budgets).map(([limitId, subject, windowStart]) => [
    'budget',
    limitId,
    actual,
    log ? 0 : actual,
    windowStart,
    subject,
  ]);
}

/** What a call cost that leaves no log row, which the sums of the rows are compared with. */
function unloggedChanges({ userId, tokenId, channelId, actual }: EndRow): Change[] {
  const change = (subject: string, id: number): Change[] => (id === 0 ? [] : [['unlogged', id, actual, 0, 0, subject]]);
  return [...change('user', userId), ...change('token', tokenId), ...change('channel', channelId)];
}
