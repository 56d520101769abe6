import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type Limit, limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, fixture, stall } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let owner: number;
let tokenId: number;
let key: string;
let people = 0;
const made: number[] = [];

async function limit(input: Record<string, unknown>): Promise<Limit> {
  const created = await gateway.app.services.limits.create(systemActor, limitCreateSchema.parse(input));
  made.push(created.id);
  await gateway.gateway.refresh();
  return created;
}

async function remove(id: number): Promise<void> {
  await gateway.app.services.limits.remove(systemActor, id);
  made.splice(made.indexOf(id), 1);
  await gateway.gateway.refresh();
}

async function newUser(): Promise<void> {
  people += 1;
  owner = await gateway.addUser(`limited${people}`, 10_000_000);
  key = await gateway.addToken(owner, { name: 'mine' });
  const [token] = await gateway.app.database.tokens.findAll({ order: [['id', 'DESC']], limit: 1, raw: true });
  tokenId = token?.id ?? 0;
}

const chat = (body: Record<string, unknown> = {}, withKey = key) => gateway.chat(body, { key: withKey });
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string; type: string } }).error;

async function statusesOf(count: number): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => chat()));
  return Promise.all(responses.map(async (response) => (await response.arrayBuffer()) && response.status));
}
const accepted = (statuses: number[]) => statuses.filter((status) => status === 200).length;

describe('limits of single tokens, users, groups and models', () => {
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(newUser);
  afterEach(async () => {
    for (const id of made.splice(0)) await gateway.app.services.limits.remove(systemActor, id);
    await gateway.gateway.refresh();
    gateway.upstream.reset();
    await gateway.verifyBooks();
  });
  afterAll(() => gateway.stop());

  it('let exactly as many of 500 calls at once through as they say', async () => {
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', period: 'minute', amount: 37 });
    expect(accepted(await statusesOf(500))).toBe(37);
  });

  it('count requests of a user, a group and a model, each for itself and for the one that is meant', async () => {
    const shared =
      /may use 2 requests per minute for all users together, and what is left is less than this request may need\. Retry in \d+ s/;
    for (const [subject_kind, subject, text] of [
      ['user', `${owner}`, /may use 2 requests per minute and has used 2. Retry in \d+ s/],
      // How much others have used of it is not told.
      ['group', 'default', shared],
      ['model', 'gpt-4o-mini', shared],
    ] as const) {
      const { id } = await limit({ subject_kind, subject, measure: 'requests', period: 'minute', amount: 2 });
      expect(accepted(await statusesOf(4)), subject_kind).toBe(2);
      const response = await chat();
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(30);
      expect(await errorOf(response)).toMatchObject({
        code: 'rate_limit_exceeded',
        message: expect.stringMatching(text),
      });
      await remove(id);
    }
  });

  it('say 1 request and 1 token, not 1 requests', async () => {
    for (const [measure, text] of [
      ['requests', /may use 1 request per minute and has used 1\. Retry/],
      ['output_tokens', /may use only 1 output token per minute, and this request may need \d+\./],
    ] as const) {
      const { id } = await limit({ subject_kind: 'user', subject: `${owner}`, measure, period: 'minute', amount: 1 });
      await statusesOf(1);
      expect(await errorOf(await chat())).toMatchObject({ message: expect.stringMatching(text) });
      await remove(id);
    }
    const { id } = await limit({ subject_kind: 'model', subject: 'gpt-4o-mini', measure: 'requests', amount: 1 });
    await statusesOf(1);
    const shared = /may use 1 request per minute for all users together/;
    expect(await errorOf(await chat())).toMatchObject({ message: expect.stringMatching(shared) });
    await remove(id);
  });

  it('replace the limit for each of a kind, and the setting that is alike for all', async () => {
    await gateway.setOption('TokenRequestRateLimitCount', '1');
    await limit({ subject_kind: 'token', measure: 'requests', period: 'minute', amount: 2 });
    expect(accepted(await statusesOf(5))).toBe(2);
    await newUser();
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', period: 'minute', amount: 4 });
    expect(accepted(await statusesOf(8))).toBe(4);
    await gateway.setOption('TokenRequestRateLimitCount', '0');
  });

  it('reserve tokens, correct them to what was used, and give them back when nothing came', async () => {
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'tokens', period: 'minute', amount: 1000 });
    gateway.upstream.always(failure(400));
    for (let call = 0; call < 5; call += 1) expect((await chat({ max_tokens: 900 })).status).toBe(400);
    gateway.upstream.reset();
    const first = await chat({ max_tokens: 900 });
    expect(first.status).toBe(200);
    const { usage } = (await first.json()) as { usage: { total_tokens: number } };
    expect(usage.total_tokens).toBeLessThan(100);
    const second = await chat({ max_tokens: 900 });
    expect(second.status).toBe(200);
    await second.text();
    const refused = await chat({ max_tokens: 990 });
    expect(refused.status).toBe(429);
    expect((await errorOf(refused)).message).toContain(`1000 tokens per minute and has used ${2 * usage.total_tokens}`);
    const large = await chat({ max_tokens: 5000 });
    expect(large.status).toBe(400);
    expect(await errorOf(large)).toMatchObject({ code: 'request_too_large' });
  });

  it('take back what was counted when a later limit refuses the call', async () => {
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', period: 'minute', amount: 2 });
    const model = await limit({ subject_kind: 'model', subject: 'gpt-4o-mini', measure: 'tokens', amount: 10 });
    for (let call = 0; call < 4; call += 1) expect((await chat({ max_tokens: 500 })).status).toBe(400);
    await remove(model.id);
    const budget = await limit({ subject_kind: 'user', subject: owner, measure: 'budget', period: 'day', amount: 1 });
    for (let call = 0; call < 4; call += 1) expect((await chat()).status).toBe(400);
    await remove(budget.id);
    expect(accepted(await statusesOf(4))).toBe(2);
  });

  it('hold for calls at one time', async () => {
    await limit({ subject_kind: 'model', subject: 'gpt-4o-mini', measure: 'concurrency', amount: 3 });
    gateway.upstream.always(fixture('openai/chat.sse', { delayMs: 100 }));
    const responses = await Promise.all(Array.from({ length: 10 }, () => chat({ stream: true })));
    expect(accepted(responses.map(({ status }) => status))).toBe(3);
    await Promise.all(responses.map((response) => response.text()));
    const next = await chat({ stream: true });
    expect(next.status).toBe(200);
    await next.text();
  });

  it('never let a budget be overdrawn, say when it resets, and ask no upstream for a call that is refused', async () => {
    const [before] = await Promise.all([gateway.quotaOf(owner), chat().then((response) => response.text())]);
    const price = before - (await gateway.quotaOf(owner));
    expect(price).toBeGreaterThan(0);
    const amount = 3000;
    const { id } = await limit({ subject_kind: 'user', subject: owner, measure: 'budget', period: 'day', amount });
    const statuses = await statusesOf(300);
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
    const view = await gateway.app.services.limits.get(systemActor, id);
    expect(view.usage).toMatchObject([{ subject: `${owner}`, held: 0 }]);
    const used = view.usage[0]?.used ?? 0;
    expect(used).toBe(accepted(statuses) * price);
    expect(used).toBeLessThanOrEqual(amount);
    expect(view.usage[0]?.remaining).toBe(amount - used);
    await gateway.app.services.limits.update(systemActor, { id, amount: Math.max(1, used) });
    await gateway.gateway.refresh();
    const asked = gateway.upstream.requests.length;
    // What it needs is less than the whole of the budget.
    const refused = await chat({ max_tokens: 1 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(await errorOf(refused)).toMatchObject({
      code: 'insufficient_quota',
      message: expect.stringMatching(
        /This account has a budget of .+ per day: .+ used.+resets at \d{4}-\d\d-\d\d 00:00 UTC/,
      ),
    });
    expect(gateway.upstream.requests.length).toBe(asked);
    // A failed call costs nothing of it.
    await gateway.app.services.limits.update(systemActor, { id, amount: used + 3000 });
    await gateway.gateway.refresh();
    gateway.upstream.always(failure(400));
    expect((await chat()).status).toBe(400);
    expect((await gateway.app.services.limits.get(systemActor, id)).usage).toMatchObject([{ used, held: 0 }]);
  });

  it('say of a budget that others use, too, when it resets, and not how much they used', async () => {
    await limit({ subject_kind: 'group', subject: 'default', measure: 'budget', period: 'day', amount: 3000 });
    let refused = await chat();
    while (refused.status === 200) refused = await chat();
    expect(refused.status).toBe(429);
    const { message } = await errorOf(refused);
    expect(message).toMatch(/The group "default" has a budget of .+ per day for all users together.+resets at \d{4}-/);
    expect(message).not.toMatch(/used|reserved/);
  });

  it.each(['user', 'group'])(
    'invite to try again where the budget of a %s only waits for running calls',
    async (kind) => {
      const subject = kind === 'user' ? owner : 'default';
      const asked = { subject_kind: kind, subject, measure: 'budget', period: 'day', amount: 1_000_000 };
      const { id } = await limit(asked);
      const leaving = new AbortController();
      gateway.upstream.always(stall('headers'));
      const running = gateway.chat({}, { key, signal: leaving.signal }).catch(() => undefined);
      const limits = gateway.app.services.limits;
      const heldNow = async () => (await limits.get(systemActor, id)).usage[0]?.held ?? 0;
      await expect.poll(heldNow).toBeGreaterThan(0);
      await limits.update(systemActor, { id, amount: (await heldNow()) + 1 });
      await gateway.gateway.refresh();
      const refused = await chat();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      const { code, message } = await errorOf(refused);
      expect(code).toBe('rate_limit_exceeded');
      expect(message).toMatch(/reserved for running requests.+Retry in 1 s/);
      leaving.abort();
      await running;
      await expect.poll(heldNow).toBe(0);
    },
  );

  it('say of a call that needs more than a whole budget that waiting does not help', async () => {
    await limit({ subject_kind: 'group', subject: 'default', measure: 'budget', period: 'day', amount: 2 });
    const refused = await chat();
    expect(refused.status).toBe(400);
    expect(refused.headers.get('retry-after')).toBeNull();
    const message = expect.stringMatching(
      /^The group "default" has a budget of .+ per day, and this request may need .+/,
    );
    expect(await errorOf(refused)).toMatchObject({ code: 'request_too_large', message });
  });

  it('show what is left as the SDK of OpenAI reads it, and end in its RateLimitError', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'hi' }], max_tokens: 100 };
    const unlimited = await client.chat.completions.create(body).withResponse();
    expect(unlimited.response.headers.get('x-ratelimit-limit-requests')).toBeNull();
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', amount: 3 });
    await limit({ subject_kind: 'user', subject: owner, measure: 'requests', amount: 10 });
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'tokens', amount: 10_000 });
    const { response } = await client.chat.completions.create(body).withResponse();
    const header = (name: string) => response.headers.get(`x-ratelimit-${name}`);
    expect(header('limit-requests')).toBe('3');
    expect(header('remaining-requests')).toBe('2');
    expect(header('reset-requests')).toBe('1m0s');
    expect(header('limit-tokens')).toBe('10000');
    expect(Number(header('remaining-tokens'))).toBeGreaterThan(9000);
    const stream = await client.chat.completions.create({ ...body, stream: true }).withResponse();
    expect(stream.response.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    for await (const _ of stream.data);
    await client.chat.completions.create(body);
    const error = await client.chat.completions.create(body).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    const { headers, code } = error as InstanceType<typeof OpenAI.RateLimitError>;
    expect(code).toBe('rate_limit_exceeded');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
  });

  it('show what is left as the SDK of Anthropic reads it, and end in its RateLimitError', async () => {
    const client = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
    const body = { model: 'gpt-4o-mini', max_tokens: 50, messages: [{ role: 'user' as const, content: 'hi' }] };
    for (const measure of ['requests', 'tokens', 'input_tokens', 'output_tokens'])
      await limit({ subject_kind: 'token', subject: tokenId, measure, amount: measure === 'requests' ? 1 : 5000 });
    const { response } = await client.messages.create(body).withResponse();
    for (const name of ['requests', 'tokens', 'input-tokens', 'output-tokens']) {
      const header = (part: string) => response.headers.get(`anthropic-ratelimit-${name}-${part}`);
      expect(header('limit'), name).toBe(name === 'requests' ? '1' : '5000');
      expect(Number(header('remaining')), name).toBeGreaterThanOrEqual(0);
      expect(Date.parse(header('reset') ?? ''), name).toBeGreaterThan(Date.now());
    }
    const error = await client.messages.create(body).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    const { headers } = error as InstanceType<typeof Anthropic.RateLimitError>;
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  });

  it('stand in place of the headers of the same names that an upstream sends', async () => {
    const script = fixture('openai/chat.json', { headers: { 'x-ratelimit-limit-requests': '9999' } });
    gateway.upstream.respond(script);
    expect((await chat()).headers.get('x-ratelimit-limit-requests')).toBe('9999');
    await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', amount: 5 });
    gateway.upstream.respond(script);
    expect((await chat()).headers.get('x-ratelimit-limit-requests')).toBe('5');
  });
});
