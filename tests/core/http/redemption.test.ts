import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

describe('redemption codes over HTTP', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    [root, alice] = [createConsoleClient(gateway.url), createConsoleClient(gateway.url)];
    await root.data(root.signIn('root', 'correct horse battery'));
    await alice.data(alice.signIn('alice', 'correct horse battery'));
  });
  afterAll(() => gateway.stop());

  const make = async (values: Record<string, unknown> = {}): Promise<string[]> =>
    root.data(root.post('/api/redemption/', { name: 'spring', quota: 100_000, count: 1, ...values }));

  it('B57 come in the order asked for, and in the default order when it is unknown', async () => {
    for (const [name, quota] of Object.entries({ middle: 20, small: 10, large: 30 })) await make({ name, quota });
    const namesBy = async (sort: string) =>
      (await root.data(root.get(`/api/redemption/?sort=${sort}`))).items.map(({ name }: { name: string }) => name);
    expect(await namesBy('-quota')).toEqual(['large', 'middle', 'small']);
    expect(await namesBy('key')).toEqual(['large', 'small', 'middle']);
    const { items } = await root.data(root.get('/api/redemption/'));
    for (const { id } of items) await root.data(root.delete(`/api/redemption/${id}`));
  });

  it('G-001 G-206 G-207 G-208 G-209 G-211 G-212 G-213 are made, listed, found, changed and deleted by admins', async () => {
    const keys = await make({ count: 3 });
    expect(keys).toHaveLength(3);
    const list = await root.data(root.get('/api/redemption/?p=1&page_size=2'));
    expect(list).toMatchObject({ page: 1, page_size: 2, total: 3, items: [{ key: keys[2] }, { key: keys[1] }] });
    expect((await root.data(root.get('/api/redemption/?p=2&page_size=2'))).items).toMatchObject([{ key: keys[0] }]);
    const [{ id }] = (await root.data(root.get(`/api/redemption/search?keyword=${keys[0]}`))).items;
    expect((await root.data(root.get('/api/redemption/search?keyword=spr&p=1'))).total).toBe(3);
    const second = await root.data(root.get('/api/redemption/search?keyword=spr&p=2&page_size=2'));
    expect(second).toMatchObject({ page: 2, page_size: 2, total: 3, items: [{ key: keys[0] }] });

    await root.data(
      root.put('/api/redemption/', { id, name: 'summer', quota: 5, count: 9, status: 3, used_user_id: 1 }),
    );
    expect(await root.data(root.get(`/api/redemption/${id}`))).toMatchObject({ name: 'summer', quota: 5, status: 1 });
    expect((await root.data(root.get('/api/redemption/'))).total).toBe(3);
    await root.data(root.put('/api/redemption/?status_only=true', { id, status: 2, name: 'ignored' }));
    expect(await root.data(root.get(`/api/redemption/${id}`))).toMatchObject({ name: 'summer', status: 2 });
    expect(await root.put('/api/redemption/?status_only=true', { id, status: 3 })).toMatchObject({ success: false });

    await root.data(root.delete(`/api/redemption/${id}/`));
    expect(await root.get(`/api/redemption/${id}`)).toMatchObject({ status: 200, success: false });
    expect(await root.delete(`/api/redemption/${id}`)).toMatchObject({ success: false });
  });

  it('keep what another admin has changed meanwhile: an edit is what it names', async () => {
    await make({ name: 'shared', quota: 500 });
    const [{ id }] = (await root.data(root.get('/api/redemption/search?keyword=shared'))).items;
    await root.data(root.put('/api/redemption/', { id, quota: 700_000 }));
    expect(await root.data(root.put('/api/redemption/', { id, name: 'renamed' }))).toMatchObject({ quota: 700_000 });
    expect(await root.data(root.get(`/api/redemption/${id}`))).toMatchObject({ name: 'renamed', quota: 700_000 });
    expect(await root.data(root.put('/api/redemption/', { id }))).toMatchObject({ name: 'renamed', quota: 700_000 });
  });

  it('G-165 B42 B55 B71 B72 refuse or mend what makes no sense', async () => {
    for (const id of ['0', '-1', '1.5', '1e3', '9223372036854775808', 'abc'])
      expect(await root.get(`/api/redemption/${id}`)).toMatchObject({ status: 200, success: false });
    for (const values of [
      { count: 101 },
      { count: 0 },
      { quota: 0 },
      { quota: -5 },
      { quota: 2 ** 53 },
      { name: 'x'.repeat(21) },
      // No calendar has such a day: the page that lists the codes would show nothing at all.
      { expired_time: 253_402_300_800 },
      { expired_time: Date.now() },
      { expired_time: Number.MAX_SAFE_INTEGER },
    ])
      expect(await root.post('/api/redemption/', { name: 'x', quota: 1, count: 1, ...values })).toMatchObject({
        status: 200,
        success: false,
      });
    for (const name of ['x', 'x'.repeat(20)]) expect(await make({ name })).toHaveLength(1);
    const tooLong = { name: 'x'.repeat(21), quota: 1, count: 1 };
    expect((await root.post('/api/redemption/', tooLong)).message).toBe('输入无效：name：不能超过 20 个字符');
    const clamped = await root.data(root.get('/api/redemption/?p=-1&page_size=1000000000'));
    expect(clamped).toMatchObject({ page: 1, page_size: 100 });
    expect((await root.data(root.get('/api/redemption/?p=a&page_size=0'))).page_size).toBe(10);
  });

  it('G-214 give their quota to the first user who redeems them', async () => {
    const [key = ''] = await make();
    const before = await gateway.quotaOf(gateway.userId);
    expect(await alice.data(alice.post('/api/user/topup', { key: ` ${key}\n` }))).toBe(100_000);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before + 100_000);
    const again = await root.post('/api/user/topup', { key });
    expect(again).toMatchObject({ status: 200, success: false });
    const [used] = (await root.data(root.get(`/api/redemption/search?keyword=${key}`))).items;
    expect(used).toMatchObject({ status: 3, used_user_id: gateway.userId });
    expect(await root.put('/api/redemption/', { id: used.id, name: 'a', quota: 1 })).toMatchObject({ success: false });
    await gateway.verifyBooks();
  });

  it('B69 that do not exist are refused, however they are written', async () => {
    for (const key of ['', 'x', "' OR 1=1--", 'a'.repeat(10_240), '0'.repeat(32), null, ['a'], { $ne: '' }])
      expect(await alice.post('/api/user/topup', { key })).toMatchObject({ status: 200, success: false });
    expect((await alice.post('/api/user/topup', { key: '' })).message).toBe('请输入兑换码！');
  });

  it('are none of an ordinary user’s business', async () => {
    expect((await alice.get('/api/redemption/')).status).toBe(403);
    expect((await alice.post('/api/redemption/', { name: 'x', quota: 1, count: 1 })).status).toBe(403);
    expect((await createConsoleClient(gateway.url).get('/api/redemption/1')).status).toBe(401);
  });
});
