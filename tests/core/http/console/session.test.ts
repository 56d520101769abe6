import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const password = 'correct horse battery';

describe('a console session', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('A-192 A-198 G-178 opens with name and password, shows the own account, and ends', async () => {
    const console = createConsoleClient(gateway.url);
    expect((await console.get('/api/user/self')).status).toBe(401);
    const user = await console.data(console.signIn('root', 'correct horse battery'));
    expect(user).toMatchObject({ username: 'root', role: 100, password: '', access_token: null });
    expect(await console.data(console.get('/api/user/self/'))).toMatchObject({ id: user.id });
    expect(await console.data(console.get('/api/user/self/sessions'))).toMatchObject([{ current: true }]);
    expect((await console.get('/api/user/self', { 'new-api-user': '01' })).status).toBe(401);
    const { cookie } = console;
    await console.data(console.get('/api/user/logout'));
    expect((await console.get('/api/user/self', { cookie })).status).toBe(401);
  });

  it('responds to a wrong password with success false, in the language of the reader', async () => {
    const console = createConsoleClient(gateway.url);
    const wrong = await console.post('/api/user/login', { username: 'root', password: 'wrong' });
    expect(wrong).toMatchObject({ status: 200, success: false });
    expect(wrong.message).toMatch(/[\u4e00-\u9fff]/);
    const english = await console.post('/api/user/login', { username: 'root' }, { 'accept-language': 'en' });
    expect(english).toMatchObject({ status: 200, success: false });
    expect(english.message).not.toMatch(/[\u4e00-\u9fff]/);
  });

  const signedIn = async () => {
    const console = createConsoleClient(gateway.url);
    await console.data(console.signIn('alice', password));
    return console;
  };

  it('B25 is no good when its cookie was cut, changed, grown or sent twice', async () => {
    const { cookie, get } = await signedIn();
    const [name = '', secret = ''] = cookie.split('=');
    const other = (await signedIn()).cookie;
    for (const wrong of [
      `${name}=${secret.slice(1)}`,
      `${name}=x${secret.slice(1)}`,
      `${name}=${'x'.repeat(8000)}`,
      `${name}=`,
      `${name}=x; ${cookie}`,
      `${cookie}; ${name}=x`,
      `${cookie}; ${other}`,
      `${cookie}; ${cookie}`,
      `x${cookie}`,
      `${name}="${secret} "`,
    ]) {
      expect(await get('/api/user/self', { cookie: wrong }), wrong.slice(0, 60)).toMatchObject({
        status: 401,
        success: false,
      });
    }
  });

  it('B26 B27 ends with sign-out and is a new one at each sign-in, whatever was planted', async () => {
    const planted = createConsoleClient(gateway.url);
    planted.cookie = `session=${'A'.repeat(43)}`;
    await planted.data(planted.signIn('alice', password));
    expect(planted.cookie).not.toContain('AAAA');
    const { cookie } = planted;
    await planted.data(planted.signIn('alice', password));
    expect(planted.cookie).not.toBe(cookie);
    const second = planted.cookie;
    await planted.data(planted.get('/api/user/logout'));
    expect((await planted.get('/api/user/self', { cookie: second })).status).toBe(401);
  });

  it.each(['', '1e0', '01', '-1', '1,2', '999999', ' ', 'alice'])(
    'B28 needs the own id in New-Api-User, not %j',
    async (id) => {
      const { get } = await signedIn();
      expect(await get('/api/user/self', { 'new-api-user': id })).toMatchObject({ status: 401, success: false });
    },
  );

  it.each(['Bearer ', 'Bearer', `Bearer ${'x'.repeat(4000)}`, 'Bearer a, Bearer b', 'Basic cm9vdDpyb290'])(
    'B29 is not replaced by the authorization %.40j',
    async (authorization) => {
      const { get } = createConsoleClient(gateway.url);
      expect(await get('/api/user/self', { authorization, 'new-api-user': '1' })).toMatchObject({ status: 401 });
    },
  );

  it('B32 takes no notice of headers that are names of objects', async () => {
    const { get } = await signedIn();
    expect((await get('/api/user/self', JSON.parse('{"__proto__":"1","constructor":"x"}'))).status).toBe(200);
  });

  it.each([
    ['B1 nothing', '', 400, false],
    ['B2 null', 'null', 200, false],
    ['B2 a list', '[]', 200, false],
    ['B2 a text', '"x"', 200, false],
    ['B2 a number', '1', 200, false],
    ['B3 a name that is an object', '{"username":{},"password":"x"}', 200, false],
    ['B3 a name that is a list', '{"username":["root"],"password":"x"}', 200, false],
    ['B10 SQL', `{"username":"' OR 1=1--","password":"x"}`, 200, false],
  ])('is not opened by %s', async (_what, body, status, success) => {
    const { post } = createConsoleClient(gateway.url);
    expect(await post('/api/user/login', body)).toMatchObject({ status, success });
  });

  it('A-152 B5 B6 is not opened by half of what is needed, by NUL or by a flood', async () => {
    const { post } = createConsoleClient(gateway.url);
    const english = { 'accept-language': 'en' };
    for (const body of [{}, { username: 'root' }, { password: 'x' }, { username: ' ', password: 'x' }]) {
      const response = await post('/api/user/login', body, english);
      expect(response.message).toBe('Invalid input: please enter username and password');
    }
    expect((await post('/api/user/login', { username: 'root', password: 'a\0b' })).success).toBe(false);
    expect((await post('/api/user/login', { username: 'root', password: 'x'.repeat(1_048_576) })).status).toBe(413);
  });

  it('B13 B14 A-231 does not tell whether the name, the password or a ban is the reason', async () => {
    const banned = await gateway.addUser('expelled', 0);
    await gateway.app.database.users.update({ status: 2 }, { where: { id: banned } });
    await gateway.addUser('welcome', 0);
    const { post } = createConsoleClient(gateway.url);
    const responses = [];
    for (const [username, given] of [
      ['nobody here', 'correct horse battery'],
      ['welcome', 'wrong horse battery'],
      ['expelled', 'wrong horse battery'],
      ['expelled', 'correct horse battery'],
    ]) {
      const { status, body, headers } = await post('/api/user/login', { username, password: given });
      responses.push(JSON.stringify({ status, body, cookies: headers.getSetCookie() }));
    }
    expect(new Set(responses).size).toBe(1);
    expect(JSON.parse(responses[0] ?? '')).toMatchObject({ status: 200, body: { success: false }, cookies: [] });
  });

  it('B11 has to wait after five wrong passwords, and is told how long', async () => {
    const { post } = createConsoleClient(gateway.url);
    const username = `guessed ${randomUUID().slice(0, 8)}`;
    const statuses: number[] = [];
    // The first wait is a second: on a busy machine the next try may come after it.
    while (statuses.length < 12 && !statuses.includes(429)) {
      const response = await post('/api/user/login', { username, password: `wrong ${statuses.length}` });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
  });

  it('F57 opens as ever while the mail server hangs', async () => {
    const sockets: Socket[] = [];
    const hanging = createServer((socket) => void sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    await gateway.setOption('SMTPPort', String((hanging.address() as AddressInfo).port));
    await gateway.setOption('SMTPServer', '127.0.0.1');
    await gateway.setOption('SMTPFrom', 'gate@example.com');
    const { get } = createConsoleClient(gateway.url);
    for (const name of ['a', 'b', 'c', 'd']) {
      expect((await get(`/api/verification?email=${name}@example.com`)).success).toBe(true);
    }
    await signedIn();
    // The mails are still waiting: no response waited for one.
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => hanging.close(resolve));
  });
});
