import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema, channelListSchema, channelUpdateSchema } from '../../../core/schemas/channel.ts';
import { addChannelHealth } from '../../support/add-channel-health.ts';
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';
import { createTestInstallation, expectInside, keys, pasted, type TestInstallation } from '../../support/terminal.tsx';
import { json } from '../../support/upstream-script.ts';

let installation: TestInstallation;
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  installation = await createTestInstallation();
  await create({ name: '主渠道 claude', type: 'anthropic', group: 'default,vip', priority: 10 });
  for (let number = 1; number <= 29; number++) await create({ name: `backup ${number}` });
});
afterAll(async () => {
  await installation.remove();
  await upstream.close();
});

async function create(fields: Record<string, unknown>) {
  const input = { type: 'openai', key: 'sk-upstream', models: 'gpt-4o', base_url: upstream.url, ...fields };
  const [channel] = await installation.app.services.channels.create(systemActor, channelCreateSchema.parse(input));
  if (!channel) throw new Error('no channel was created');
  return channel;
}

const statusOf = async (name: string) => (await installation.app.services.channels.find(systemActor, name)).status;
const named = async (keyword: string) =>
  (await installation.app.services.channels.list(systemActor, channelListSchema.parse({ keyword }))).items;

describe('the list of channels', () => {
  it.each([
    [60, 16],
    [80, 24],
    [140, 40],
  ])('fits into %i columns and %i rows, Chinese names included', async (columns, rows) => {
    const terminal = installation.open({ screen: 'channel', columns, rows });
    const frame = await terminal.until('主渠道');
    expectInside(terminal, columns, rows);
    expect(frame).toMatch(/Channels \(30\)/);
    expect(frame).toMatch(/>\s+1 {2}主渠道 claude/);
    expect(frame).toContain('? not known');
    expect(frame.split('\n').at(-1)).toMatch(/^t test.*\? keys$/);
    terminal.close();
  });

  it('speaks Chinese, with columns that are below each other', async () => {
    const terminal = installation.open({ screen: 'channel', language: 'zh' });
    await terminal.until('主渠道 claude');
    expectInside(terminal, 80, 24);
    await terminal.until('渠道 (30)');
    await terminal.until('? 未知');
    await terminal.until('t 测试');
    terminal.close();
  });

  it('names the type of a channel in the language of the reader, in the list and in its details', async () => {
    const channel = await create({ name: 'own address', type: 'custom' });
    for (const [language, name] of [
      ['zh', '自定义渠道'],
      ['en', 'Custom'],
    ] as const) {
      const terminal = installation.open({ screen: 'channel', columns: 140, rows: 40, language });
      await terminal.until('backup 29');
      await terminal.press(`/own address${keys.enter}`);
      await terminal.until(new RegExp(`own address +${name}`));
      await terminal.press('d');
      await terminal.until(new RegExp(`(类型|Type) +${name}`));
      terminal.close();
    }
    await installation.app.services.channels.remove(systemActor, [channel.id]);
  });

  it('shows a quick response as some time, not as none', async () => {
    const channel = await create({ name: 'very quick' });
    await installation.app.database.channels.update(
      { response_time: 3, test_time: 1_790_000_000 },
      { where: { id: channel.id } },
    );
    const terminal = installation.open({ screen: 'channel', columns: 140, rows: 40 });
    await terminal.until('backup 29');
    await terminal.press(`/very quick${keys.enter}`);
    await terminal.until(/very quick.* 0\.01s /);
    terminal.close();
    await installation.app.services.channels.remove(systemActor, [channel.id]);
  });

  it('shows plain ASCII where the locale is not UTF-8, and the state as a word', async () => {
    const terminal = installation.open({ screen: 'channel', locale: 'C' });
    await terminal.until('backup 29');
    await terminal.until('? not known');
    const foreign = terminal
      .frame()
      .replaceAll('主渠道', '')
      .match(/[^\x20-\x7e\n]/g);
    expect(foreign).toBeNull();
    terminal.close();
  });

  it('hears every key of a chunk, and moves over the pages of the service', async () => {
    const terminal = installation.open({ screen: 'channel', rows: 16 });
    await terminal.until(/>\s+1 /);
    await terminal.press('jjj');
    await terminal.until(/>\s+28 /);
    await terminal.press('G');
    await terminal.until(/>\s+2 {2}backup 1/);
    await terminal.until('25-30');
    await terminal.press(keys.pageUp);
    await terminal.until('17-24');
    await terminal.press('g');
    await terminal.until(/>\s+1 {2}主渠道/);
    terminal.close();
  });

  it('is narrowed by words and filters typed at once, says what a filter is called, and Esc widens it', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.until('backup 29');
    await terminal.press(`/group:vip claude${keys.enter}`);
    await terminal.until('Channels (1)  /group:vip claude');
    expect(terminal.frame()).not.toContain('backup');
    await terminal.press(keys.escape);
    await terminal.until('Channels (30)');
    await terminal.press(`/owner:me${keys.enter}`);
    await terminal.until('unknown filter owner:me; use group: status: type: model: tag:');
    await terminal.press('/no such channel', keys.enter);
    await terminal.until('no matches; press Esc to clear the filter');
    terminal.close();
  });

  it('names a wrong filter value in an error line with r retry, never as an empty table', async () => {
    const terminal = installation.open({ screen: 'channel', columns: 100 });
    await terminal.until('backup 29');
    await terminal.press(`/status:perhaps${keys.enter}`);
    const frame = await terminal.until('r retry');
    expect(frame).toMatch(/✗ .*status: enabled, disabled, auto-disabled/);
    terminal.close();
  });

  it('says of a channel that fails why, in the list and in its details, also where the switch is on', async () => {
    const { database } = installation.app;
    const failing = await create({ name: '坏渠道', group: 'broken' });
    const now = Math.floor(Date.now() / 1000);
    const attempts = [{ channel: failing.id, outcome: '401', ms: 12, message: '' }];
    for (const created_at of [now - 60, now - 30]) {
      const other = JSON.stringify({ status: 502, outcome: 'upstream', admin_info: { attempts } });
      await database.logs.create({ type: 5, created_at, user_id: 1, username: 'root', channel_id: failing.id, other });
    }
    const terminal = installation.open({ screen: 'channel', columns: 100 });
    await terminal.press(`/group:broken${keys.enter}`);
    await terminal.until(/坏渠道 .*✗ failing/);
    await terminal.until(/failing since .*: .*key/);
    expectInside(terminal, 100, 24);
    await terminal.press('d');
    await terminal.until(/State +✗ failing/);
    await terminal.until(/Last error +\d{4}-.*key/);
    terminal.close();
    await installation.app.services.channels.remove(systemActor, [failing.id]);
  });

  it('opens a channel with all it is, without its key, and goes back to the same row', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.until('backup 29');
    await terminal.press('jj', 'd');
    await terminal.until('Channel 29: backup 28');
    await terminal.until(upstream.url);
    expect(terminal.frame()).not.toContain('sk-upstream');
    await terminal.press(keys.escape);
    await terminal.until(/>\s+29 /);
    terminal.close();
  });
});

describe('the health of the models of a channel', () => {
  const open = async (keyword: string, columns: number, language: 'en' | 'zh' = 'en') => {
    const terminal = installation.open({ screen: 'channel', columns, rows: 40, language });
    await terminal.until('backup 29');
    await terminal.press(`/${keyword}${keys.enter}`);
    await terminal.until(/\(1\)/);
    await terminal.press('d');
    return terminal;
  };

  it('stands among its details: success, first token, speed and last error of each model', async () => {
    const channel = await create({ name: 'measured', models: 'gpt-4o,o3' });
    await addChannelHealth(installation.app.database, [
      { channelId: channel.id, model: 'gpt-4o', ok: 3, firstTokens: [512, 512, 512], speeds: [64, 64, 64] },
      { channelId: channel.id, model: 'gpt-4o', ok: 0, failed: 1, error: 'no capacity \u001b[2J', ago: 7300 },
      { channelId: channel.id, model: 'o3', ok: 0, failed: 2, error: 'no such model' },
    ]);
    for (const columns of [80, 140]) {
      const terminal = await open('measured', columns);
      await terminal.until(/MODEL +1H +24H +FIRST TOKEN +TOKENS\/S +LAST ERROR/);
      await terminal.until(/gpt-4o +100% +75\.0% +0\.51s +64 +no capaci/);
      await terminal.until(/o3 +0\.0% +0\.0% +- +- +no such/);
      expectInside(terminal, columns, 40);
      expectHarmless(terminal.raw());
      terminal.close();
    }
    const chinese = await open('measured', 100, 'zh');
    await chinese.until(/模型 +1 小时 +24 小时 +首字用时/);
    expectInside(chinese, 100, 40);
    chinese.close();
    await installation.app.services.channels.remove(systemActor, [channel.id]);
  });

  it('is said to be unknown before the first request, and follows while the details are open', async () => {
    const channel = await create({ name: 'new one' });
    const terminal = await open('new one', 100);
    await terminal.until(/Health +no requests in the last day/);
    await addChannelHealth(installation.app.database, [{ channelId: channel.id, model: 'gpt-4o', ok: 8 }]);
    await terminal.until(/gpt-4o +100% +100%/);
    terminal.close();
    await installation.app.services.channels.remove(systemActor, [channel.id]);
  });
});

/** No sound, no clipboard, no erasing: only colors. */
function expectHarmless(text: string): void {
  for (const sign of ['\u0007', '\u001b]', '\u001b[2J']) expect(text).not.toContain(sign);
}

describe('a channel that went off by itself', () => {
  it('says since when and why, and what the upstream wrote steers no terminal (S15)', async () => {
    const { id } = await create({ name: 'broken' });
    const status_reason = '401 \u001b]52;c;aGk=\u0007invalid\u001b[2J x-api-key';
    const other_info = JSON.stringify({ status_reason, status_time: 1_700_000_000 });
    await installation.app.database.channels.update({ status: 3, other_info }, { where: { id } });
    const terminal = installation.open({ screen: 'channel', columns: 100, color: true });
    await terminal.until('主渠道');
    await terminal.press(`/status:auto-disabled${keys.enter}`);
    await terminal.until('▲ auto-disabled');
    await terminal.until(/auto-disabled since 2023-11-1\d .*: 401 .*invalid/);
    expectHarmless(terminal.raw());
    await terminal.press('d');
    await terminal.until('Reason');
    expectHarmless(terminal.raw());
    await installation.app.services.channels.remove(systemActor, [id]);
    terminal.close();
  });
});

describe('what is done with channels', () => {
  it('disables without a question, and u takes it back', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.until('主渠道');
    await terminal.press('e');
    await terminal.until(/channel 1 \(主渠道 claude\) disabled {2}· u undo \(\d+ s\)/);
    await terminal.until('○ disabled');
    expect(await statusOf('主渠道 claude')).toBe(2);
    await terminal.press('u');
    await terminal.until('channel 1 (主渠道 claude) enabled');
    expect(await statusOf('主渠道 claude')).toBe(1);
    terminal.close();
  });

  it('asks before it removes, where any key but y means no', async () => {
    await create({ name: 'old key' });
    const terminal = installation.open({ screen: 'channel' });
    await terminal.press('/old key', keys.enter);
    await terminal.until('Channels (1)');
    await terminal.press('x');
    await terminal.until(/Delete 1 channel: \d+ \(old key\) \(y\/N\)/);
    await terminal.press(keys.enter);
    await terminal.untilGone('(y/N)');
    expect(await named('old key')).toHaveLength(1);
    await terminal.press('x');
    await terminal.until('(y/N)');
    await terminal.press('y');
    await terminal.until(/channel \d+ \(old key\) deleted/);
    expect(await named('old key')).toHaveLength(0);
    terminal.close();
  });

  it('marks rows, all of them too, and does it to what is marked', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.press('/backup 2', keys.enter);
    await terminal.until('Channels (11)');
    await terminal.press('  ');
    await terminal.until('2 marked');
    await terminal.press('e');
    await terminal.until('disabled  · u undo');
    expect([await statusOf('backup 29'), await statusOf('backup 28')]).toEqual([2, 2]);
    await terminal.press('u');
    await terminal.until(/30 \(backup 29\), 29 \(backup 28\) enabled/);
    await terminal.press('a');
    await terminal.until('11 marked');
    await terminal.press(keys.escape);
    await terminal.untilGone('marked');
    terminal.close();
  });

  it('tests one with a tiny call, and says why one failed', async () => {
    const terminal = installation.open({ screen: 'channel', columns: 140 });
    await terminal.press('/backup 29', keys.enter);
    await terminal.until('Channels (1)');
    await terminal.press('t');
    await terminal.until('channel 30 (backup 29): gpt-4o responded in');
    upstream.respond(json(401, { error: { message: 'invalid key' } }));
    await terminal.press('t');
    await terminal.until(/gpt-4o failed/);
    terminal.close();
  });

  it('tests all with a bar while one looks elsewhere, and asks before it quits', async () => {
    upstream.always({ ...json(500, { error: { message: 'down' } }), firstByteMs: 150 });
    const terminal = installation.open({ screen: 'channel', columns: 140 });
    await terminal.until('backup 29');
    await terminal.press('T');
    await terminal.until(/Channel test \d+\/30 [█░]{20}/);
    await terminal.press('7');
    await terminal.until('Options (');
    await terminal.until(/Channel test \d+\/30/);
    await terminal.press('q');
    await terminal.until('Channel test is still running. Quit? (y/N)');
    await terminal.press('n');
    await terminal.until(/30 channels tested, 30 failed/);
    upstream.always(undefined);
    terminal.close();
  });
});

describe('the form of a channel', () => {
  it('says under each field what is wrong, in the words of the schema', async () => {
    const terminal = installation.open({ screen: 'channel', rows: 40 });
    await terminal.until('backup 29');
    await terminal.press('n');
    await terminal.until('New channel');
    await terminal.press(keys.ctrlU, 'nobody', keys.ctrlS);
    await terminal.until('no such channel type');
    const lines = terminal.lines();
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at('no such channel type')).toBe(at('Type ') + 1);
    expect(lines[at('Models') + 1]).toContain('cannot be empty');
    terminal.close();
  });

  it('creates one channel per pasted key, hides the keys, and shows them in the list', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.until('backup 29');
    await terminal.press('n');
    await terminal.until('New channel');
    await terminal.press(keys.tab, '新渠道', keys.tab, pasted('sk-one\nsk-two'), keys.tab, pasted('gpt-4o,o3\n'));
    await terminal.until('gpt-4o,o3');
    expect(terminal.frame()).not.toContain('sk-one');
    await terminal.until('•••••');
    await terminal.press(keys.ctrlS);
    await terminal.until(/channel \d+ created: 新渠道; channel \d+ created: 新渠道/);
    const created = await named('新渠道');
    expect(created.map(({ models }) => models)).toEqual(['gpt-4o,o3', 'gpt-4o,o3']);
    await installation.app.services.channels.remove(
      systemActor,
      created.map(({ id }) => id),
    );
    terminal.close();
  });

  it('saves a change alone, and asks before it throws one away', async () => {
    const channel = await create({ name: 'to edit' });
    const terminal = installation.open({ screen: 'channel' });
    await terminal.press('/to edit', keys.enter);
    await terminal.until('Channels (1)');
    await terminal.press('E');
    await terminal.until('Channel ');
    // Another person changes the rest meanwhile.
    const meanwhile = { id: channel.id, models: 'o3', priority: 7, weight: 3 };
    await installation.app.services.channels.update(systemActor, channelUpdateSchema.parse(meanwhile));
    await terminal.press(keys.tab, keys.ctrlU, 'edited', keys.escape);
    await terminal.until('Leave without saving? (y/N)');
    await terminal.press('n', keys.ctrlU, keys.ctrlS);
    await terminal.until('cannot be empty');
    await terminal.press('edited', keys.ctrlS);
    await terminal.until(`channel ${channel.id} changed: edited`);
    expect(await statusOf('edited')).toBe(1);
    expect(await installation.app.services.channels.get(systemActor, channel.id)).toMatchObject(meanwhile);
    await installation.app.services.channels.remove(systemActor, [channel.id]);
    terminal.close();
  });

  it('asks before the stored key goes to another address (S11)', async () => {
    const channel = await create({ name: 'to move' });
    const terminal = installation.open({ screen: 'channel' });
    await terminal.press('/to move', keys.enter);
    await terminal.until('Channels (1)');
    await terminal.press('E');
    await terminal.until('Base URL');
    await terminal.press(keys.tab.repeat(5), keys.ctrlU, 'https://other.example.com', keys.ctrlS);
    await terminal.until('Use the stored key with the new address? (y/N)');
    await terminal.press('n');
    await terminal.until('the type, the host of the base URL, or the proxy has changed');
    expect((await named('to move'))[0]?.base_url).toBe(upstream.url);
    await installation.app.services.channels.remove(systemActor, [channel.id]);
    terminal.close();
  });
});

describe('a channel that cannot work', () => {
  it('is marked in the list, with the reason below and in its details', async () => {
    const { id } = await create({ name: 'of old times', priority: 99 });
    await installation.app.database.channels.update({ type: 11 }, { where: { id } });
    const terminal = installation.open({ screen: 'channel', columns: 140, rows: 40 });
    await terminal.until('✗ failing');
    await terminal.until('the PaLM API was shut down');
    await terminal.press('d');
    await terminal.until(/Reason +the PaLM API was shut down/);
    terminal.close();
    await installation.app.services.channels.remove(systemActor, [id]);
  });
});
