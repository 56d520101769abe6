import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors/app-error.ts';
import { coded, issueAt, issueList } from '../../core/text/coded.ts';
import { textIn } from '../../core/text/text.ts';
import { createConsoleClient } from '../support/console-client.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { json } from '../support/upstream-script.ts';

/** Words that stand for themselves in any language: typed input, names of options and types, commands. */
const namesIn = [
  /“[^”]*”/g,
  /"[^"]*"/g,
  /'[^']*'/g,
  /`[^`]*`/g,
  /--?[\w-]+/g,
  /\S*[_/.:<>$#]\S*/g,
  /tollgate [a-z-]+( [a-z-]+)?/g,
];
/** Three Latin words in a row without a comma are a sentence. */
const sentence = /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/;

function expectChinese(text: string, what: string): void {
  const rest = namesIn.reduce((left, form) => left.replace(form, '◆'), text);
  expect(rest, what).not.toMatch(sentence);
  expect(text, what).toMatch(/[一-鿿]/);
}

describe('what is wrong, said in Chinese', () => {
  let home: CliHome;
  let gateway: TestGateway;
  beforeAll(async () => {
    home = createCliHome();
    await home.run('user create --name alice --password-stdin', { stdin: 'correct horse battery\n' });
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway.stop();
    home.remove();
  });

  it.each([
    ['no-such-noun'],
    ['user no-such-verb'],
    ['user list --page x'],
    ['user list --page-size 0'],
    ['user list --sort password'],
    ['user list --role king'],
    ['user list --no-such-flag'],
    ['user get'],
    ['user get a b c d nobody'],
    ['user get alice --json=1'],
    ['user quota alice'],
    ['user quota alice --add'],
    ['user quota alice --add lots'],
    ['user create'],
    ['user reset-password alice'],
    ['user create --name a@b.co --password-stdin'],
    ['user create --name thisnameismuchtoolong --password-stdin'],
    ['user update alice --display-name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['token create --user alice --name'],
    ['token create --user alice --name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['token create --user alice --name a --expires someday'],
    ['token list --color sometimes'],
    ['channel create --name a'],
    ['channel create --type nothing --name a --models b --key-stdin'],
    ['channel list --status maybe'],
    ['redemption create --name a --quota 5 --count 0'],
    ['redemption create --name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --quota 5'],
    ['option set NoSuchOption 1'],
    ['option set RetryTimes many'],
    ['option set ModelRatio {'],
    ['option set GroupRatio {"a":"b"}'],
    ['option set PasswordLoginEnabled false'],
    ['pricing set a --input much'],
    ['pricing set a --ratio -1'],
    ['log list --since never'],
    ['log clear'],
    ['usage show --by color'],
    ['language --language fr'],
  ])('tollgate %s', async (words) => {
    const { code, stderr } = await home.run(words, { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(code).not.toBe(0);
    expectChinese(stderr, words);
  });

  it.each([
    ['POST', '/api/user/register', { username: {}, password: 'x' }],
    ['POST', '/api/user/register', { username: 'a', password: 'short' }],
    ['POST', '/api/user/', { username: 'a', password: ['x'], role: 'x' }],
    ['PUT', '/api/user/', { id: 'x' }],
    ['PUT', '/api/user/', { id: 1, quota: 1.5 }],
    ['POST', '/api/user/manage', { id: 2, action: 'explode' }],
    ['POST', '/api/token/', { name: 'a', remain_quota: -1 }],
    ['POST', '/api/token/', { name: 'a', expired_time: 'soon' }],
    ['POST', '/api/redemption/', { name: 'a', quota: 0, count: 1e9 }],
    ['PUT', '/api/option/', { key: 'RetryTimes', value: 5 }],
    ['PUT', '/api/option/', { key: 'RetryTimes', value: 'x' }],
    ['POST', '/api/channel/', { mode: 'single', channel: { type: 'x' } }],
    ['POST', '/api/user/login', { username: 5 }],
    ['GET', '/api/user/search?keyword=a&keyword=b', undefined],
    ['GET', '/api/verification?email=x', undefined],
  ])('%s %s %j', async (method, path, body) => {
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    const heads = { 'accept-language': 'zh-CN' };
    const response =
      method === 'GET'
        ? await root.get(path, heads)
        : method === 'PUT'
          ? await root.put(path, body, heads)
          : await root.post(path, body, heads);
    expect(response.success).toBe(false);
    expectChinese(response.message, `${path} ${JSON.stringify(body)}`);
  });

  it('which field is wrong, each followed by a Chinese colon, several parted by a Chinese semicolon', async () => {
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    const { message } = await root.post(
      '/api/token/',
      { name: 'a', remain_quota: 'x' },
      { 'accept-language': 'zh-CN' },
    );
    expect(message).toBe('输入无效：remain_quota：应为数字');
    const zh = { env: { LC_ALL: 'zh_CN.UTF-8' } };
    const { stderr } = await home.run('init --type nothing', zh);
    expect(stderr).toContain('--type nothing：渠道类型不存在');
    const reason = issueList([issueAt('name', coded('issue.empty')), issueAt('quota', coded('input.notZero'))]);
    expect(new AppError('input.invalid', { reason }).text('zh')).toBe('输入无效：name：不能为空；quota：不能为 0');
    expect(new AppError('input.invalid', { reason }, { about: '7 (a)' }).text('zh')).toMatch(/^7 \(a\)：输入无效：/);
  });

  it('where a setting comes from', async () => {
    const { stdout } = await home.run('config check', { env: { LC_ALL: 'zh_CN.UTF-8', PORT: '3100' } });
    expect(stdout).toContain('PORT = 3100（环境变量）');
    expect(stdout).toContain('HOST = 127.0.0.1（默认值）');
  });

  it.each(['task', 'drawing'] as const)('what is not there: %s', async (noun) => {
    const { code, stderr } = await home.run(`${noun} get 99`, { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(code).toBe(3);
    expect(stderr).toContain(`${textIn('zh', 'detail', `noun.${noun}`)} 99`);
  });

  it('a failed test of a channel, where the words are ours; those of the upstream stay', async () => {
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    const told = async (id: number) =>
      (await root.get(`/api/channel/test/${id}`, { 'accept-language': 'zh-CN' })).message;
    const dead = await gateway.addChannel({ base_url: 'http://127.0.0.1:9' });
    expect(await told(dead)).toBe('无法连接上游');
    const drawing = await gateway.addChannel({ type: 2 });
    expectChinese(await told(drawing), 'untestable');
    const refused = await gateway.addChannel({});
    gateway.upstream.respond(json(401, { error: { message: 'Your account is not active' } }));
    expect(await told(refused)).toContain('Your account is not active');
  });
});
