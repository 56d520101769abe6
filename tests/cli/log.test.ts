import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widthOf } from '../../cli/tui/fit.ts';
import { runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

/** A moment in November 2023. */
const longAgo = 1_700_000_000;

describe('log commands', () => {
  let gateway: TestGateway;
  let requestId: string;
  const run = (words: string | string[], options = {}) => runCli(words, { ...options, env: gateway.environment });

  beforeAll(async () => {
    gateway = await startGateway();
    gateway.upstream.respond('openai/error-server.json');
    const response = await gateway.chat();
    requestId = response.headers.get('x-request-id') ?? '';
    await response.text();
    await gateway.chat({ stream: true }).then((response) => response.text());
  });
  afterAll(() => gateway.stop());

  it('lists calls with their cost, newest first', async () => {
    const list = await run('log list --type consume --user alice --json');
    const { items, total } = list.json<{ items: { request_id: string; quota: number }[]; total: number }>();
    expect(total).toBe(2);
    expect(items[1]?.request_id).toBe(requestId);
    expect((await run('log list --type consume --model gpt-4o% --since 1h')).stdout.trim().split('\n')).toHaveLength(2);
    expect((await run('log list --type consume --until 1h')).stdout).toBe('');
    expect((await run('log list --channel fake --token test --json --fields id')).json()).toMatchObject({ total: 2 });
    expect((await run('log list --type nonsense')).code).toBe(2);
  });

  it('tells within 100 columns who called what where, how it ended, how long it took and what it cost', async () => {
    const { database } = gateway.app;
    await database.channels.update({ name: '主渠道' }, { where: { name: 'fake' } });
    const { stdout } = await run('log list --color never', { typed: [], columns: 100 });
    await database.channels.update({ name: 'fake' }, { where: { name: '主渠道' } });
    const [header = '', ...rows] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/ID +TIME +STATUS +USER +MODEL +CHANNEL +MS +COST/);
    expect(rows).toContainEqual(
      expect.stringMatching(/^ *\d+ {2}\S+ \S+ {2}200 ok +alice +gpt-4o-mini +主渠道 +\d+ {2}\$0\.0\d+/),
    );
    // The credit at the start is no request.
    expect(rows).toContainEqual(expect.stringMatching(/ manage +alice +\+\$20\.00/));
    for (const row of rows) expect(widthOf(row), row).toBeLessThanOrEqual(100);
  });

  it('shows the texts in the language of the reader, and programs what is stored', async () => {
    const list = async (flags: string) => (await run(`log list --type manage --fields id,content ${flags}`)).stdout;
    expect(await list('--language zh')).toContain('管理员调整额度 +$20.00：test');
    expect(await list('--language en')).toContain('Quota changed by +$20.00: test');
    expect(await list('--language zh --json')).toContain('Quota changed by +10000000: test');
    const id = (await list('--language en')).trim().split(/\s/)[0];
    expect((await run(`log get ${id} --language zh`)).stdout).toContain('管理员调整额度');
  });

  it('prints a receipt whose lines add up to the charge', async () => {
    const { receipt, quota } = (await run(`log get ${requestId} --json`)).json<{
      quota: number;
      receipt: { quota: number; lines: { count: number; rate: string; amount: string }[] };
    }>();
    expect(receipt.quota).toBe(quota);
    const sum = receipt.lines.reduce((total, { amount }) => total + Number(amount), 0);
    expect(sum).toBeCloseTo(quota, 9);
    for (const { count, rate, amount } of receipt.lines) expect(count * Number(rate)).toBeCloseTo(Number(amount), 9);
    const { stdout } = await run(`log get ${requestId}`);
    expect(stdout).toMatch(/prompt tokens +\d+ x +0\.075 = +[\d.]+\n/);
    expect(stdout).toMatch(new RegExp(`charged +=? += +${quota} +\\(\\$0\\.0`));
    expect(stdout).toContain('Attempts: #1');
    expect(stdout).toContain('Usage: upstream');
    expect((await run('log get 999999')).code).toBe(3);
  });

  it('lists failed calls with what their clients were told, and finds one by its request id', async () => {
    const response = await gateway.chat({ model: 'no-such-model' });
    const failedId = response.headers.get('x-request-id') ?? '';
    await expect.poll(async () => (await run(`log get ${failedId}`)).code).toBe(0);
    const list = (await run('log list --errors')).stdout;
    expect(list).toMatch(new RegExp(`\\t${response.status} (refused|unavailable)\\talice\\t`));
    expect(list).toContain('no-such-model');
    const { stdout } = await run(`log get ${failedId} --language en`);
    expect(stdout).toContain(failedId);
    expect(stdout).toContain(`Failed with status ${response.status} (`);
    await gateway.app.database.logs.update({ content: 'broken', use_time: 31 }, { where: { request_id: requestId } });
    for (const flags of ['--cut', '--slow 30', '--slow 30 --cut --user alice']) {
      expect((await run(`log list ${flags} --json`)).json(), flags).toMatchObject({
        items: [{ request_id: requestId }],
      });
    }
    expect((await run('log list --slow 100000 --json')).json()).toMatchObject({ total: 0 });
    await gateway.app.database.logs.update({ content: '', use_time: 0 }, { where: { request_id: requestId } });
    expect((await run('log list --slow soon')).stderr).toContain('--slow "soon": a whole number');
    expect((await run('log list --before-id x')).stderr).toContain('--before-id "x": a whole number');
    for (const list of ['log list', 'usage show', 'audit list', 'task list']) {
      const refused = await run(`${list} --since 1d --until 2d`);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the start time is later than') });
    }
    expect((await run('log list --errors --type consume')).code).toBe(2);
  });

  it('adds up what the filters leave', async () => {
    const whole = (await run('log stat --json')).json<{ quota: number; rpm: number; tpm: number }>();
    const list = (await run('log list --type consume --json')).json<{ items: { quota: number }[] }>();
    expect(whole.quota).toBe(list.items.reduce((sum, { quota }) => sum + quota, 0));
    expect(whole.rpm).toBeLessThanOrEqual(2);
    expect((await run('log stat --user alice --channel fake --json')).json()).toMatchObject({ quota: whole.quota });
    expect((await run('log stat --model nothing --json')).json()).toMatchObject({ quota: 0, rpm: 0, tpm: 0 });
    expect((await run('log stat --username alice')).stdout).toMatch(/^quota {2}\$0\.\d+\nrpm /);
    expect((await run('log stat --since yesterday')).code).toBe(2);
    expect((await run('log stat --channel nobody')).code).toBe(3);
  });

  it('follows: what was there last, then each new row once, until Ctrl-C', async () => {
    const seen: { id: number; type: number }[] = [];
    const followed = await run('log follow --last 1 --type consume --json', {
      watch(text: string, signal: (name: 'SIGINT') => void) {
        seen.push(
          ...text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        );
        if (seen.length < 4) void gateway.chat().then((response) => response.text());
        else signal('SIGINT');
      },
    });
    expect(followed.code).toBe(130);
    expect(followed.stderr).toBe('');
    const { items } = (await run('log list --type consume --json')).json<{ items: { id: number }[] }>();
    const ids = items.map(({ id }) => id).sort((a, b) => a - b);
    expect(seen.map(({ id }) => id)).toEqual(ids.slice(1, 1 + seen.length));
  });

  it('follows a row that comes out late, with an id below those already shown, and shows it once', async () => {
    const { logs } = gateway.app.database;
    const now = Math.floor(Date.now() / 1000);
    const row = { type: 4, content: 'late', user_id: 1, username: 'root', created_at: now, other: '' };
    const seen: number[] = [];
    await run('log follow --last 1 --json', {
      watch(text: string, signal: (name: 'SIGINT') => void) {
        seen.push(
          ...text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line).id),
        );
        const next = [500_010, 500_000][seen.length - 1];
        if (next) void logs.create({ ...row, id: next });
        else signal('SIGINT');
      },
    });
    expect(seen.slice(1)).toEqual([500_010, 500_000]);
    await logs.destroy({ where: { content: 'late' } });
  });

  it('follows on a screen under one header, and ends when it is told to stop', async () => {
    const screen = await run('log follow --last 2 --type consume --no-color', {
      typed: [],
      watch: (_text: string, signal: (name: 'SIGTERM') => void) => setTimeout(() => signal('SIGTERM'), 2500),
    });
    const lines = screen.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^ *ID {2}TIME/);
    expect((await run('log follow --last 101')).code).toBe(2);
    expect((await run('log follow --type nonsense')).code).toBe(2);
  });

  it('clears only what was confirmed, and the books stay right', async () => {
    await gateway.app.database.logs.update({ created_at: longAgo }, { where: { type: 2 } });
    // By whole hours: the calls may have been made before and after the turn of one.
    const hours = Math.floor((Date.now() / 1000 - longAgo) / 3600);
    await gateway.app.database.sequelize.query(`UPDATE usage_data SET created_at = created_at - ${hours * 3600}`);
    const count = await gateway.logCount();
    expect((await run('log clear --before 2024-01-01')).code).toBe(2);
    expect((await run('log clear --before 2024-01-01 --dry-run --json')).json()).toMatchObject({ data: { count } });
    expect((await run('log clear --before 2024-01-01', { typed: ['yes'] })).code).toBe(1);
    expect((await run('log clear --before 2999-01-01 --yes')).code).toBe(2);
    // Nothing to delete, nothing to ask.
    expect(await run('log clear --before 2001-01-01')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 log rows'),
    });
    expect((await run('log clear --before 2024-01-01', { typed: ['clear'] })).stdout).toContain(
      `${count} log rows older than `,
    );
    expect((await run(`log get ${requestId}`)).code).toBe(3);
    expect((await run('ledger verify')).code).toBe(0);
  });

  it('stops clearing at Ctrl-C behind the batch under way, and tells what is gone', async () => {
    const { database } = gateway.app;
    await database.sequelize.query(`INSERT INTO logs (user_id, created_at, type, content, username)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT 1, ${longAgo}, 4, 'old', 'root' FROM n`);
    let timer: NodeJS.Timeout | undefined;
    const stopped = await run('log clear --before 2024-01-01', {
      typed: ['clear'],
      watch(_text: string, signal: (name: 'SIGINT') => void) {
        timer ??= setInterval(() => signal('SIGINT'), 5);
      },
    });
    clearInterval(timer);
    expect(stopped.code).toBe(130);
    const gone = Number(/stopped after (\d+) rows/.exec(stopped.stdout)?.[1]);
    const left = await database.logs.count({ where: { content: 'old' } });
    expect(left).toBe(20_000 - gone);
    expect(left).toBeGreaterThan(0);
  });
});
