import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExplain } from '../../../../cli/explain/access.ts';
import { explainedCall } from '../../../../core/http/relay/explained-call.ts';
import { explanationView } from '../../../../core/relay/explain/explanation-view.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type ExplanationView, explainSchema } from '../../../../core/schemas/explain.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const model = 'gpt-4o-mini';
const tables = ['users', 'tokens', 'channels', 'logs', 'audits', 'quota_holds', 'quota_entries', 'stored_responses'];

describe.each(engines)('explain on %s (promise 6)', (engine) => {
  let gateway: TestGateway;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    gateway = await startGateway(engine);
    const add = async (name: string, input: Record<string, unknown> = {}) => {
      ids[name] = await gateway.addChannel({ name, models: model, ...input });
    };
    await add('heavy', { weight: 30 });
    await add('spare', { priority: -5 });
    await add('last', { priority: -9 });
    await add('vip', { group: 'vip,svip' });
    await add('near', { models: 'gpt-4o-mimi' });
    await add('other', { models: 'text-embedding-3-small' });
    await add('off');
    await add('broken');
    await add('unknown-type');
    await gateway.app.database.channels.update({ type: 28 }, { where: { id: ids['unknown-type'] } });
    await gateway.app.services.channels.setStatus({ ...systemActor, name: 'carol' }, [ids.off ?? 0], 2);
    await gateway.app.services.channels.disableAutomatically(ids.broken ?? 0, '401 invalid x-api-key');
    await gateway.setOption('RetryTimes', '2');
  });
  afterAll(() => gateway?.stop());

  async function explain(input: Record<string, unknown> = {}, language: 'en' | 'zh' = 'en'): Promise<ExplanationView> {
    const run = await openExplain(gateway.app);
    return explanationView(await run(await explainedCall(explainSchema.parse({ model, ...input }))), language);
  }

  /** The whole of what is said about each channel that is meant. */
  const reasonsOf = ({ channels }: ExplanationView, name: string) =>
    channels.find((channel) => channel.name === name)?.reasons.map(({ message }) => message);
  const codesOf = ({ refusals }: ExplanationView) => refusals.map(({ code }) => code);
  const tokenOf = async (input: Record<string, unknown>, userId = gateway.userId) => {
    await gateway.addToken(userId, { name: `t${Math.random()}`, ...input });
    return (await gateway.app.database.tokens.max('id')) as number;
  };

  it('says who serves, how likely each is, and in which order the others follow', async () => {
    const view = await explain();
    expect(view).toMatchObject({ served: true, refusals: [], group: 'default', retries: 2, pinned: false });
    expect(view.channels.map(({ name, turn, chance }) => [name, turn, chance]).slice(0, 4)).toEqual([
      ['heavy', 1, 0.8],
      ['fake', 1, 0.2],
      ['spare', 2, 1],
      ['last', null, 0],
    ]);
    expect(view.request).toMatchObject({ channel_name: 'heavy', url: `${gateway.upstream.url}/v1/chat/completions` });
    expect(reasonsOf(view, 'spare')).toEqual(['its priority -5 is below 0']);
    expect(reasonsOf(view, 'last')).toContain('RetryTimes is 2, so this channel is never tried');
  });

  it('says why each other channel is out: who disabled it, what it lacks', async () => {
    const view = await explain();
    expect(reasonsOf(view, 'vip')).toEqual(['it serves vip, svip, not the group default']);
    expect(reasonsOf(view, 'near')).toEqual(['it does not list the model, but gpt-4o-mimi']);
    expect(reasonsOf(view, 'other')).toEqual(['it does not list the model']);
    expect(reasonsOf(view, 'off')?.[0]).toMatch(/^carol disabled it at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(reasonsOf(view, 'broken')?.[0]).toMatch(/^it was disabled automatically at .* UTC: 401 invalid x-api-key$/);
    expect(view.channels.find(({ name }) => name === 'unknown-type')).toMatchObject({
      turn: null,
      reasons: [{ code: 'provider.unknown' }],
    });
  });

  it('says the same in Chinese', async () => {
    const view = await explain({}, 'zh');
    expect(reasonsOf(view, 'vip')).toEqual(['只服务分组 vip, svip，不含分组 default']);
    expect(
      view.channels.flatMap(({ reasons }) => reasons).every(({ message }) => /\p{Script=Han}/u.test(message)),
    ).toBe(true);
  });

  it('finds a row that is missing, and a key that cannot be read', async () => {
    await gateway.app.database.abilities.destroy({ where: { channel_id: ids.spare } });
    await gateway.app.database.channels.update({ key_encrypted: 'v1:broken' }, { where: { id: ids.last } });
    const view = await explain();
    expect(reasonsOf(view, 'spare')?.[0]).toContain('tollgate channel fix');
    expect(reasonsOf(view, 'last')?.[0]).toContain('its stored key cannot be read');
    await gateway.app.services.channels.fixAbilities(systemActor);
  });

  it('an unknown model is refused with near names and all other problems', async () => {
    const view = await explain({ model: 'gpt-4o-minx' });
    expect(view).toMatchObject({ served: false, request: null, price: null });
    expect(codesOf(view)).toEqual(['relay.unknownModel', 'model.unpriced']);
    expect(view.refusals[0]?.message).toContain('Near: gpt-4o-mini');
    await gateway.setOption('SelfUseModeEnabled', 'true');
    expect(codesOf(await explain({ model: 'gpt-4o-minx' }))).toEqual(['relay.unknownModel']);
    await gateway.setOption('SelfUseModeEnabled', 'false');
  });

  it('a call that names its channel goes there alone, and shows the request even where it is off', async () => {
    const view = await explain({ channel_id: ids.off });
    expect(view).toMatchObject({ served: false, pinned: true, retries: 0, request: { channel_name: 'off' } });
    expect(codesOf(view)).toEqual(['token.pinDisabled']);
    expect(reasonsOf(view, 'off')?.[0]).toContain('carol');
    expect(reasonsOf(view, 'heavy')).toEqual([`the call is limited to channel ${ids.off}`]);
    expect((await explain({ channel_id: ids.other })).served).toBe(true);
  });

  it('a token brings its own group, and everything that is held against it', async () => {
    const refused = async (input: Record<string, unknown>, more: Record<string, unknown> = {}) =>
      codesOf(await explain({ token_id: await tokenOf(input), ...more }));
    expect(await refused({})).toEqual([]);
    expect((await explain({ token_id: await tokenOf({ group: 'vip' }) })).request?.channel_name).toBe('vip');
    expect(await refused({ model_limits_enabled: true, model_limits: 'gpt-4o' })).toEqual(['token.modelRefused']);
    expect(await refused({ allow_ips: '10.0.0.0/8' }, { address: '192.0.2.1' })).toEqual(['token.addressRefused']);
    expect(await refused({ allow_ips: '10.0.0.0/8' }, { address: '10.1.2.3' })).toEqual([]);
    expect(await refused({ unlimited_quota: false, remain_quota: 1 })).toEqual(['quota.tokenInsufficient']);
    expect(await refused({}, { channel_id: ids.heavy })).toEqual(['token.pinRefused']);
    const expired = await tokenOf({});
    await gateway.app.database.tokens.update({ expired_time: 1 }, { where: { id: expired } });
    const view = await explain({ token_id: expired });
    expect(codesOf(view)).toEqual(['token.expired']);
    // What would be sent is shown anyway.
    expect(view.request?.channel_name).toBe('heavy');
    expect(view.token).toMatchObject({ id: expired, username: 'alice', user_id: gateway.userId });
    const poor = await gateway.addUser('poor', 0);
    expect(codesOf(await explain({ token_id: await tokenOf({}, poor) }))).toEqual(['quota.userInsufficient']);
    await expect(explain({ token_id: 999_999 })).rejects.toMatchObject({ code: 'object.notFound' });
  });

  it('words that are not accepted, and groups without a ratio, are named', async () => {
    await gateway.setOption('SensitiveWords', 'forbidden');
    await gateway.setOption('CheckSensitiveEnabled', 'true');
    await gateway.setOption('CheckSensitiveOnPromptEnabled', 'true');
    const body = { model, messages: [{ role: 'user', content: 'a FORBIDDEN word' }] };
    expect(codesOf(await explain({ body }))).toEqual(['relay.sensitive']);
    await gateway.setOption('CheckSensitiveEnabled', 'false');
    expect(codesOf(await explain({ group: 'nobody' }))).toEqual(['group.noRatio', 'relay.unknownModel']);
  });

  it('a response to go on from leads to the channel that keeps it, for its owner alone', async () => {
    const { storedResponses } = gateway.app.services;
    await storedResponses.remember({ id: 'resp_1', userId: gateway.userId, channelId: ids.heavy ?? 0, model });
    const body = { model, input: 'and then?', previous_response_id: 'resp_1' };
    const mine = await explain({ protocol: 'openai-responses', body, token_id: await tokenOf({}) });
    expect(mine).toMatchObject({ served: true, pinned: true, request: { channel_name: 'heavy' } });
    expect(codesOf(await explain({ protocol: 'openai-responses', body }))).toEqual(['response.previousNotFound']);
  });

  it('what no channel can say is refused with the reason', async () => {
    await gateway.addChannel({ type: 14, name: 'claude', models: 'gpt-5-claude', key: 'claude-key-0123' });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-5-claude': 1 }));
    const body = { messages: [{ role: 'user', content: 'hi' }], n: 2 };
    const view = await explain({ model: 'gpt-5-claude', body });
    expect(codesOf(view)).toEqual(['convert.notPossible']);
    expect(view).toMatchObject({ served: false, request: null });
    await expect(explain({ body: '{"messages":[' })).rejects.toMatchObject({ code: 'body.notJson' });
    await expect(explain({ body: { messages: 'hi' } })).rejects.toMatchObject({ status: 400 });
  });

  it('rates, estimate and hold are those of the call itself', async () => {
    const { price } = await explain({ body: { messages: [{ role: 'user', content: 'hi' }], max_tokens: 1000 } });
    expect(price).toMatchObject({ kind: 'ratio', source: 'builtin', model_ratio: 0.075, group_ratio: 1 });
    expect(price).toMatchObject({ completion_ratio: 4, per_million: { prompt: 0.15, completion: 0.6 } });
    // 2 prompt tokens and 1000 x 4 for the completion, at 0.075.
    expect(price).toMatchObject({ prompt_tokens: 2, completion_tokens: 1000, hold: 300 });
  });

  it('nothing is sent, fetched, held or written', async () => {
    const tokenId = await tokenOf({});
    gateway.upstream.reset();
    await gateway.addChannel({ type: 14, name: 'pictures', models: 'claude-seen', key: 'claude-key-0123' });
    await gateway.addChannel({ type: 24, name: 'google', models: 'gemini-seen', key: 'google-key-0123' });
    await gateway.setOption('SelfUseModeEnabled', 'true');
    const image = `${gateway.upstream.url}/cat.png`;
    const parts = [{ type: 'image_url', image_url: { url: image } }];
    const rows = () => Promise.all(tables.map((name) => gateway.app.database.select(`SELECT * FROM ${name}`)));
    const before = JSON.stringify(await rows());
    const view = await explain({
      model: 'gemini-seen',
      token_id: tokenId,
      body: { messages: [{ role: 'user', content: parts }] },
    });
    expect(view.request?.fetched).toEqual([image]);
    expect(view.request?.body).toContain(`<base64 of ${image}>`);
    await explain({ model: 'claude-seen', stream: true, token_id: tokenId });
    await explain({ model: 'nobody-has-it', token_id: tokenId });
    expect(JSON.stringify(await rows())).toBe(before);
    expect(gateway.upstream.requests).toEqual([]);
  });
});
