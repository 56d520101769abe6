import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument } from 'commander';
import { type App, createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { limitCreateSchema } from '../../../core/schemas/limit.ts';
import { redemptionCreateSchema } from '../../../core/schemas/redemption.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { addDrawings } from '../../support/add-drawings.ts';
import type { TreeCommand } from '../../support/command-tree.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';

/** Words that fill an argument: things the seeded installation has. */
const argumentWords: Record<string, string> = {
  channel: 'main',
  channels: 'main',
  token: 'nightly',
  tokens: 'nightly',
  user: 'alice',
  users: 'alice',
  key: 'RetryTimes',
  keys: 'RetryTimes',
  value: '3',
  tag: 'fast',
  group: 'vip',
  groups: 'vip',
  model: 'gpt-4o',
  models: 'gpt-4o',
  shell: 'bash',
  prompt: 'hi',
  drawings: 'm1',
  'trade-no': 'o1',
};

const flagWords: Record<string, string> = {
  '--type': 'openai',
  '--name': 'fresh',
  '--models': 'gpt-4o',
  '--model': 'gpt-4o',
  '--quota': '1000',
  '--before': '1d',
  '--by': 'model',
  '--count': '1',
  '--amount': '7',
};

/** What a command needs besides what it says itself. */
const furtherWords: Record<string, { words: string[]; not?: string[] }> = {
  init: { words: ['--type', 'openai', '--models', 'gpt-4o'] },
  'channel test': { words: ['main'] },
  explain: { words: ['--model', 'gpt-4o'], not: ['--body'] },
  'limit create': { words: ['--token', 'nightly', '--budget', '$5', '--per', 'day'] },
  'user quota': { words: ['--add', '5000'], not: ['--add', '--subtract', '--set'] },
};

export interface SeededHome extends CliHome {
  /** Back to what it was before the last commands. */
  restore(): void;
}

/** An installation with one of everything, which is put back by a copy of its folder. */
export async function createSeededHome(upstreamUrl = 'http://127.0.0.1:9'): Promise<SeededHome> {
  const home = createCliHome();
  const app = await createApp({ ...loadConfig({}, home.env), logLevel: 'silent' });
  try {
    await seed(app, upstreamUrl);
  } finally {
    await app.close();
  }
  const copy = `${home.directory}-copy`;
  cpSync(home.directory, copy, { recursive: true });
  return {
    ...home,
    restore() {
      rmSync(home.directory, { recursive: true, force: true });
      mkdirSync(home.directory, { mode: 0o700 });
      cpSync(copy, home.directory, { recursive: true });
    },
    remove() {
      home.remove();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

async function seed({ services, database }: App, base_url: string): Promise<void> {
  const { channels, users, tokens, redemptions, options, limits } = services;
  const names = { name: 'main', models: 'gpt-4o,gpt-4o-mini', tag: 'fast' };
  const channel = { ...names, type: 1, key: 'upstream-key', base_url };
  const [{ id } = { id: 0 }] = await channels.create(systemActor, channelCreateSchema.parse(channel));
  await channels.addKeys(systemActor, id, 'second-upstream-key');
  await users.create(systemActor, userCreateSchema.parse({ username: 'alice', password: 'long enough 1' }));
  await tokens.create(systemActor, tokenCreateSchema.parse({ name: 'nightly', remain_quota: 5 }), { userId: 1 });
  await redemptions.create(systemActor, redemptionCreateSchema.parse({ name: 'spring', quota: 1000 }));
  const budget = { subject_kind: 'user', subject: '1', measure: 'budget', period: 'day', amount: 5000 };
  await limits.create(systemActor, limitCreateSchema.parse(budget));
  await options.set(systemActor, 'RetryTimes', '2');
  const now = Math.floor(Date.now() / 1000) - 60;
  const insert = (sql: string) => database.sequelize.query(`INSERT INTO ${sql}`);
  const call = `'r1', 1, ${now}, 2, 'root', 'nightly', 1, 'gpt-4o', 10, 20, 10, 1, 'default'`;
  await insert(
    `logs (request_id, user_id, created_at, type, username, token_name, token_id, model_name, quota, prompt_tokens,
      completion_tokens, channel_id, "group") VALUES (${call})`,
  );
  await insert(`usage_data (user_id, model_name, created_at, username, token_used, count, quota)
    VALUES (1, 'gpt-4o', ${now - (now % 3600)}, 'root', 30, 1, 10)`);
  for (const seconds of [60, 3600]) {
    await insert(`channel_health (seconds, slot, channel_id, model, process, ok, failed, first_token, speed)
      VALUES (${seconds}, ${now - (now % seconds)}, ${id}, 'gpt-4o', 'p1', 9, 1, '{"40":9}', '{"24":9}')`);
  }
  await insert(`tasks (user_id, task_id, platform, action, status, submit_time, created_at)
    VALUES (1, 't1', 'suno', 'MUSIC', 'SUCCESS', ${now}, ${now})`);
  await addDrawings(database, [{ user_id: 1, mj_id: 'm1', submit_time: now }]);
  await insert(`top_ups (user_id, amount, money, trade_no, create_time, quota) VALUES (1, 5, 5, 'o1', ${now}, 2500)`);
}

/** The words that make a command whole: its arguments and the flags it insists on, but not those of `without`. */
export function wholeWords(home: CliHome, { name, noun, command }: TreeCommand, without?: string): string[] {
  const file = join(home.directory, 'given.json');
  const channel = { name: 'fresh', type: 'openai', models: 'm', key: 'k' };
  writeFileSync(file, JSON.stringify(/^(option|pricing) /.test(name) ? { RetryTimes: '4' } : channel));
  const wordOf = (argument: Argument) =>
    (noun === 'group' ? 'vip' : undefined) ??
    argumentWords[argument.name()] ??
    (/file|path|folder/.test(argument.name()) ? file : '1');
  const flags = command.options
    .filter(({ mandatory, long }) => mandatory && long !== without)
    .flatMap(({ long = '' }) => [long, flagWords[long] ?? '1']);
  const secret = ['--key-stdin', '--password-stdin'].filter(
    (flag) =>
      without !== '--key-file' &&
      !(name === 'init' && flag === '--password-stdin') &&
      command.options.some(({ long }) => long === flag),
  );
  const { words: further = [], not = [] } = furtherWords[name] ?? {};
  const isOwn = (at: number) => further[at] === without || further[at - 1] === without;
  flags.push(...secret, ...(not.includes(without ?? '') ? [] : further.filter((_word, at) => !without || !isOwn(at))));
  return [...command.registeredArguments.filter(({ required }) => required).map(wordOf), ...flags];
}
