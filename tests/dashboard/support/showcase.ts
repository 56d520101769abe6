import { systemActor } from '../../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../../core/schemas/limit.ts';
import { codedText } from '../../../core/text/text.ts';
import { addChannelHealth } from '../../support/add-channel-health.ts';
import { addDrawings, unaskedUntil } from '../../support/add-drawings.ts';
import type { TestGateway } from '../../support/start-gateway.ts';

const now = Math.floor(Date.now() / 1000);
const hour = 3600;
const day = 24 * hour;

const models = [
  { name: 'gpt-4o', ratio: 1.25, completion: 4 },
  { name: 'gpt-4o-mini', ratio: 0.075, completion: 4 },
  { name: 'claude-sonnet-4-5-20250929', ratio: 1.5, completion: 5 },
  { name: 'gemini-2.5-pro', ratio: 0.625, completion: 8 },
  { name: 'deepseek-chat', ratio: 0.135, completion: 4 },
  { name: 'qwen-max-2025-01-25-longcontext', ratio: 0.8, completion: 3 },
];
const names = ['alice', '王小明', 'production-worker-eu', 'bob', '李雷与韩梅梅的团队'];

/** A year-old installation in a minute: everything a page can show, much of it, with long names. */
export async function fillShowcase(gateway: TestGateway): Promise<void> {
  const channels = await addChannels(gateway);
  const users = await addUsers(gateway);
  await addTokens(gateway);
  await addUsage(gateway, users, channels);
  await addHealth(gateway, channels);
  await addWork(gateway);
  await addCodes(gateway);
  await setTexts(gateway);
}

/** Limits of each kind, one of them nearly and one wholly used up. */
export async function addLimits({ app, userId }: TestGateway): Promise<void> {
  const { services, database } = app;
  const dollar = 500_000;
  const own = await database.tokens.findOne({ where: { name: '生产环境' }, raw: true });
  const create = (input: Record<string, unknown>) =>
    services.limits.create(systemActor, limitCreateSchema.parse(input));
  const use = async (id: number, subject: number | string, used: number) => {
    const today = new Date();
    const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1) / 1000;
    await database.limitUsage.create({ limit_id: id, subject: String(subject), window_start: start, used, held: 0 });
  };
  const month = { measure: 'budget', period: 'month' };
  const near = await create({ subject_kind: 'user', subject: userId, ...month, amount: 200 * dollar });
  await use(near.id, userId, 171 * dollar);
  const over = await create({ subject_kind: 'token', subject: own?.id ?? 1, ...month, amount: 20 * dollar });
  await use(over.id, own?.id ?? 1, 20 * dollar);
  await create({ subject_kind: 'user', measure: 'requests', amount: 60 });
  await create({ subject_kind: 'token', measure: 'tokens', amount: 2_000_000, enabled: false });
  await create({
    subject_kind: 'model',
    subject: 'qwen-max-2025-01-25-longcontext',
    measure: 'concurrency',
    amount: 8,
  });
  const shared = await create({ subject_kind: 'group', subject: 'default', ...month, amount: 3000 * dollar });
  await use(shared.id, 'default', 1234 * dollar);
}

/** For readers of English: what was named for a Chinese team. */
export async function nameInEnglish({ app: { database } }: TestGateway): Promise<void> {
  const channels = ['openai-main', 'anthropic', 'azure-eu', 'gemini', 'deepseek', 'qwen'];
  for (const [index, name] of channels.entries())
    await database.channels.update({ name, tag: index < 2 ? 'production' : '' }, { where: { id: index + 2 } });
  for (let index = 1; index <= 9; index += 1)
    await database.channels.update({ name: `openai-spare-${index}` }, { where: { name: `备用 ${index}` } });
  const people = { 王小明: 'research', 李雷与韩梅梅的团队: 'support-team' };
  for (const [chinese, name] of Object.entries(people)) {
    await database.users.update({ display_name: name }, { where: { display_name: chinese } });
    await database.logs.update({ username: name }, { where: { username: chinese } });
    await database.usageData.update({ username: name }, { where: { username: chinese } });
  }
  await database.logs.update({ token_name: 'production' }, { where: { token_name: '生产环境' } });
  await database.tokens.update({ name: 'production' }, { where: { name: '生产环境' } });
}

async function addChannels(gateway: TestGateway): Promise<number[]> {
  const rows: [input: Record<string, unknown>, measured: Record<string, unknown>][] = [
    [
      { name: '主渠道（华东区生产环境，请勿修改）', tag: '生产', priority: 10, weight: 5, group: 'default,vip,svip' },
      { response_time: 820, balance: 17.5, used_quota: 812_345_678 },
    ],
    [
      { name: 'Claude 备用', type: 14, tag: '生产', models: 'claude-sonnet-4-5-20250929', priority: 5 },
      {
        status: 3,
        response_time: 3400,
        used_quota: 12_300_000,
        other_info: JSON.stringify({ status_reason: '401 invalid x-api-key', status_time: now - hour }),
      },
    ],
    [{ name: 'azure-eu-west-with-a-rather-long-name', type: 3, models: 'gpt-4o' }, { status: 2 }],
    [
      { name: 'gemini', type: 24, models: 'gemini-2.5-pro,gemini-2.5-flash', group: 'default,vip' },
      { response_time: 1800, used_quota: 4_210_000 },
    ],
    [
      { name: '深度求索', type: 36, tag: '国产模型', models: 'deepseek-chat,deepseek-reasoner' },
      { response_time: 6200 },
    ],
    [
      { name: '通义千问', type: 17, tag: '国产模型', models: 'qwen-max-2025-01-25-longcontext' },
      { response_time: 950 },
    ],
    ...Array.from({ length: 9 }, (_, index): [Record<string, unknown>, Record<string, unknown>] => [
      { name: `备用 ${index + 1}`, models: 'gpt-4o,gpt-4o-mini', weight: index },
      { response_time: 400 + index * 700, used_quota: index * 90_000 },
    ]),
  ];
  const ids: number[] = [];
  for (const [input, measured] of rows) {
    const id = await gateway.addChannel({ models: 'gpt-4o,gpt-4o-mini', ...input });
    const times = { test_time: now - hour, balance: 25, balance_updated_time: now - hour };
    await gateway.app.database.channels.update({ ...times, ...measured }, { where: { id } });
    ids.push(id);
  }
  return ids;
}

async function addUsers(gateway: TestGateway): Promise<{ id: number; name: string }[]> {
  const { users } = gateway.app.services;
  const made = [{ id: gateway.userId, name: 'alice' }];
  for (const [index, name] of names.slice(1).entries())
    made.push({ id: await gateway.addUser(`user${index}`, 1_000_000 * (index + 1) ** 3), name });
  for (const { id, name } of made.slice(1))
    await gateway.app.database.users.update({ display_name: name, email: `${id}@example.com` }, { where: { id } });
  for (let index = 0; index < 8; index += 1) await gateway.addUser(`member-${index}`, index * 50_000);
  const admin = await gateway.addUser('carol', 5_000_000);
  await users.manage(systemActor, { id: admin, action: 'promote' });
  const closed = await gateway.addUser('mallory', 0);
  await users.manage(systemActor, { id: closed, action: 'disable' });
  return made;
}

async function addTokens(gateway: TestGateway): Promise<void> {
  const add = (input: Record<string, unknown>) => gateway.addToken(gateway.userId, input);
  await add({ name: '生产环境', unlimited_quota: false, remain_quota: 5_000_000 });
  await add({ name: 'ci', unlimited_quota: false, remain_quota: 40_000, expired_time: now + 3 * day });
  await add({ name: 'claude-code', model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4o-mini', group: 'vip' });
  await add({ name: 'laptop', allow_ips: '10.0.0.0/8\n192.168.1.5' });
  await add({ name: 'spent', unlimited_quota: false, remain_quota: 0 });
  const { tokens } = gateway.app.database;
  await tokens.update({ used_quota: 3_210_000, accessed_time: now - 90 }, { where: { name: '生产环境' } });
  await tokens.update({ status: 4, used_quota: 500_000 }, { where: { name: 'spent' } });
  await tokens.update({ status: 2 }, { where: { name: 'laptop' } });
}

async function addUsage(gateway: TestGateway, users: { id: number; name: string }[], channels: number[]) {
  const { logs, sequelize } = gateway.app.database;
  const rows = [];
  for (let index = 0; index < 3000; index += 1) rows.push(callOf(index, users, channels));
  await logs.bulkCreate(rows);
  await logs.bulkCreate(failedCalls(users));
  const sums = [];
  for (let back = 0; back < 30 * 24; back += 1) {
    for (const [index, { name, ratio, completion }] of models.entries()) {
      const user = users[(back + index) % users.length] ?? { id: gateway.userId, name: 'alice' };
      const calls = Math.round(6 + 5 * Math.sin(back / 4) + index * 2 + (back % 24 > 8 ? 4 : 0));
      const used = calls * (900 + 150 * index);
      const quota = Math.round(used * ratio * (1 + completion / 5));
      const time = now - (now % hour) - back * hour;
      sums.push(`(${user.id}, '${name}', ${time}, '${user.name}', ${used}, ${calls}, ${quota})`);
    }
  }
  await sequelize.query(
    `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota) VALUES ${sums.join(', ')}`,
  );
  await gateway.app.database.users.update(
    { used_quota: 23_456_789, request_count: 12_345, aff_count: 3, aff_quota: 750_000, aff_history: 750_000 },
    { where: { id: gateway.userId } },
  );
}

async function addHealth(gateway: TestGateway, channels: number[]): Promise<void> {
  const [main = 1, claude = 2, azure = 3] = channels;
  const firstTokens = [310, 420, 480, 560, 640, 830, 1240, 2900];
  const speeds = [96, 88, 84, 80, 71, 64, 42, 18];
  const refused = '401 invalid x-api-key';
  const limited = '429 rate_limit_exceeded: 60 requests per minute for the deployment in the region eu-west';
  await addChannelHealth(gateway.app.database, [
    { channelId: main, model: 'gpt-4o', ok: 1498, failed: 2, firstTokens, speeds, error: limited },
    { channelId: main, model: 'gpt-4o', ok: 20_310, failed: 64, firstTokens, speeds, error: limited, ago: 2 * hour },
    { channelId: main, model: 'gpt-4o-mini', ok: 412, firstTokens: firstTokens.map((ms) => ms / 2), speeds },
    { channelId: main, model: 'text-embedding-3-large-with-a-rather-long-name', ok: 61, ago: 1200 },
    { channelId: claude, model: 'claude-sonnet-4-5-20250929', ok: 2, failed: 31, error: refused },
    { channelId: azure, model: 'gpt-4o', ok: 84, failed: 12, firstTokens, speeds, error: limited, ago: 900 },
  ]);
}

function failedCalls(users: { id: number; name: string }[]) {
  const unserved = { model: 'claude-opus', group: 'vip', near: '' };
  const reasons = [
    { content: '429 rate_limit_exceeded: 60 requests per minute', other: '{"status":429,"outcome":"limited"}' },
    {
      content: codedText('error', 'relay.unknownModel', unserved),
      other: '{"status":404,"outcome":"refused","code":"relay.unknownModel"}',
    },
    { content: codedText('error', 'upstream.keyRefused'), other: '{"status":502,"outcome":"upstream"}' },
  ];
  return Array.from({ length: 40 }, (_, index) => {
    const user = users[index % users.length] ?? { id: 1, name: 'root' };
    return {
      user_id: user.id,
      username: user.name,
      type: 5,
      ...reasons[index % reasons.length],
      model_name: index % 2 ? 'claude-opus' : 'gpt-4o',
      request_id: `failed:6a7c1d2e-0000-4000-8000-${1e11 + index}`,
      created_at: now - 60 - index * 900,
    };
  });
}

function callOf(index: number, users: { id: number; name: string }[], channels: number[]) {
  const model = models[index % models.length] ?? { name: 'gpt-4o', ratio: 1.25, completion: 4 };
  const user = users[index % users.length] ?? { id: 1, name: 'root' };
  const channel = channels[index % channels.length] ?? 1;
  const prompt = 200 + ((index * 37) % 9000);
  const completion = 30 + ((index * 13) % 1200);
  const seconds = 1 + Math.floor((index % 7) ** 2 / 2);
  const isHard = index % 9 === 3;
  const isCut = index % 45 === 7;
  const cached = isHard ? 100 : 0;
  const quota = Math.round((prompt - cached / 2 + completion * model.completion) * model.ratio) || 1;
  const other = {
    model_ratio: model.ratio,
    group_ratio: 1,
    completion_ratio: model.completion,
    model_price: -1,
    frt: 300 + (index % 11) * 130,
    duration_ms: seconds * 1000 + (index % 997),
    usage_source: 'upstream',
    outcome: isCut ? 'broken' : 'complete',
    ...(isHard && {
      protocol: 'openai-chat',
      upstream_protocol: 'anthropic-messages',
      upstream_model_name: 'claude-next',
      conversion: [{ field: 'logit_bias', kind: 'dropped' }],
    }),
    bill: {
      rates: {
        modelRatio: model.ratio,
        completionRatio: model.completion,
        cacheRatio: 0.5,
        groupRatio: 1,
        quotaPerUnit: 500_000,
        source: 'builtin',
      },
      usage: { prompt, completion, cachedRead: cached },
    },
    admin_info: {
      use_channel: [String(channel)],
      attempts: [
        ...(isHard ? [{ channel: channels[1] ?? 1, outcome: '429', ms: 812 }] : []),
        {
          channel,
          outcome: 'ok',
          ms: 950 + index,
          first_token: { ms: 10_000, source: 'minimum', samples: 100, abandoned: 0, p99_ms: 1200 },
        },
      ],
    },
  };
  return {
    user_id: user.id,
    username: user.name,
    token_id: 1,
    token_name: ['生产环境', 'ci', 'laptop'][index % 3],
    channel_id: channel,
    group: index % 4 ? 'default' : 'vip',
    type: 2,
    content: isCut ? 'broken' : '',
    created_at: now - index * 600,
    use_time: seconds,
    is_stream: index % 3 !== 0,
    quota,
    prompt_tokens: prompt,
    completion_tokens: completion,
    model_name: model.name,
    request_id: `5f7c1d2e-0000-4000-8000-${1e11 + index}`,
    other: JSON.stringify(other),
  };
}

async function addWork({ app, userId, url }: TestGateway): Promise<void> {
  const { sequelize } = app.database;
  const ms = now * 1000;
  const prompts = [
    'a red fox asleep in the snow, early light, 35 mm',
    '一座漂浮在云海之上的古代城市，远处有飞鸟，水墨风格，细节丰富，长卷构图，高分辨率',
    'logo',
  ];
  await addDrawings(app.database, [
    {
      user_id: userId,
      mj_id: '17321888000001',
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      channel_id: 0,
      prompt: prompts[0] ?? '',
      code: 1,
      image_url: `${url}/favicon.svg`,
      fail_reason: '',
      submit_time: ms - 200_000,
      finish_time: ms - 100_000,
    },
    {
      user_id: userId,
      mj_id: '17321888000002',
      action: 'UPSCALE',
      status: 'IN_PROGRESS',
      progress: '45%',
      channel_id: 1,
      prompt: prompts[1] ?? '',
      code: 1,
      image_url: '',
      fail_reason: '',
      submit_time: ms - 50_000,
      finish_time: 0,
    },
    {
      user_id: userId,
      mj_id: '17321888000003',
      action: 'SWAP_FACE',
      status: 'FAILURE',
      progress: '0%',
      channel_id: 2,
      prompt: prompts[2] ?? '',
      code: 22,
      image_url: '',
      fail_reason: 'the prompt is banned',
      submit_time: ms - 90_000,
      finish_time: ms - 60_000,
    },
    {
      user_id: userId,
      mj_id: '17321888000004',
      action: 'PAN',
      status: 'MODAL',
      progress: '0%',
      channel_id: 0,
      prompt: prompts[0] ?? '',
      code: 21,
      image_url: '',
      fail_reason: '',
      submit_time: ms - 40_000,
      finish_time: 0,
    },
    {
      user_id: userId,
      mj_id: '17321888000005',
      action: 'DESCRIBE',
      status: 'SUBMITTED',
      progress: '0%',
      channel_id: 1,
      prompt: prompts[1] ?? '',
      code: 1,
      image_url: '',
      fail_reason: '',
      submit_time: ms - 3000,
      finish_time: 0,
    },
  ]);
  const tasks = [
    `'9c1f3b80-7a40-4f9e-8a21-1', 'MUSIC', 'SUCCESS', '100%', ${now - 300}, ${now - 200}, '{"input":"a song about rain"}'`,
    `'9c1f3b80-7a40-4f9e-8a21-2', 'LYRICS', 'IN_PROGRESS', '30%', ${now - 40}, 0, '{"input":"雨中的歌"}'`,
    `'9c1f3b80-7a40-4f9e-8a21-3', 'LYRICS', 'FAILURE', '100%', ${now - 90}, ${now - 60}, ''`,
    `'9c1f3b80-7a40-4f9e-8a21-4', 'MUSIC', 'QUEUED', '', ${now - 20}, 0, ''`,
  ];
  await sequelize.query(`INSERT INTO tasks
    (user_id, channel_id, platform, task_id, action, status, progress, submit_time, finish_time, properties)
    VALUES ${tasks.map((task) => `(${userId}, 1, 'suno', ${task})`).join(', ')}`);
  await sequelize.query(`UPDATE tasks SET next_poll_at = ${unaskedUntil()}`);
}

async function addCodes({ app, userId }: TestGateway): Promise<void> {
  const { redemptions } = app.services;
  const make = (input: Record<string, unknown>) =>
    redemptions.create(systemActor, { name: '双十一活动', quota: 500_000, count: 1, expired_time: 0, ...input });
  await make({ count: 6 });
  await make({ name: 'expires soon', quota: 12_345_678, expired_time: now + day });
  await make({ name: 'for partners', quota: 50_000_000, count: 3 });
  await app.database.redemptions.update({ status: 2 }, { where: { id: 2 } });
  await app.database.redemptions.update(
    { status: 3, redeemed_time: now - day, used_user_id: userId },
    { where: { id: 3 } },
  );
}

async function setTexts({ setOption }: TestGateway): Promise<void> {
  await setOption('GroupRatio', '{"default":1,"vip":0.8,"svip":0.6}');
  await setOption('UserUsableGroups', '{"default":"默认分组","vip":"会员分组"}');
  await setOption('Chats', '[{"ChatGPT Next":"https://chat.example.com/#/?settings={}"}]');
  await setOption('MjForwardUrlEnabled', 'false');
  await setOption('TopUpLink', 'https://shop.example.com');
  await setOption('ServerAddress', 'https://gate.example.com');
  await setOption('PayAddress', 'https://pay.example.com');
  await setOption('EpayId', '1001');
  await setOption('EpayKey', 'secret');
}
