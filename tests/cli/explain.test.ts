import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

const model = 'gpt-4o-mini';
/** Times of the day, which no snapshot can know. */
const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'THEN');

describe('tollgate explain (promise 6)', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  let question: string;

  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
    const create = (name: string, type: string, ...more: string[]) =>
      home.run(['channel', 'create', '--name', name, '--type', type, '--key-stdin', '--models', model, ...more], {
        stdin: `secret-of-${name}-0123456789\n`,
      });
    await create('main', 'anthropic', '--weight', '30', '--model-mapping', `{"${model}":"claude-haiku-4-5"}`);
    await create('also', 'openai');
    await create('spare', 'gemini', '--priority', '-5');
    await create('old', 'azure', '--base-url', upstream.url);
    await create('vip', 'openai', '--group', 'vip');
    await create('embedding', 'openai', '--models', 'text-embedding-3-small');
    await home.run('channel disable old');
    question = join(home.directory, 'question.json');
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(40)}`;
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: image } },
    ];
    writeFileSync(question, JSON.stringify({ model, seed: 7, logit_bias: {}, messages: [{ role: 'user', content }] }));
  });
  afterAll(async () => {
    await upstream.close();
    home.remove();
  });

  it('says who serves and why the others do not, in lines of 80 columns, but for what is sent', async () => {
    const run = await home.run(['explain', '--body', question, '--stream'], { typed: [], columns: 80 });
    expect(run.code).toBe(0);
    expect(timeless(run.stdout)).toMatchInlineSnapshot(`
      "gpt-4o-mini in the group default, openai-chat, streamed
      Served    most likely by channel 1 (main)

      Channels
      → 1 main   anthropic  80 %   weight 30; first-token limit 12 s, the default
                                   while few requests are measured (0)
        2 also   openai     20 %   weight 0; first-token limit 12 s, the default while
                                   few requests are measured (0)
        3 spare  gemini     try 2  its priority -5 is below 0
        4 old    azure      no     system disabled it at THEN
        5 vip    openai     no     it serves vip, not the group default
          if one fails, the next is tried, up to 2 times (RetryTimes)
          channels that do not list the model: 1; use --json to see them

      Request to channel 1 (main)
        model      claude-haiku-4-5, mapped from gpt-4o-mini
        converted  from openai-chat to anthropic-messages
        dropped    seed, logit_bias

        POST https://api.anthropic.com/v1/messages
        x-api-key          se…6789
        anthropic-version  2023-06-01
        content-type       application/json
        content-length     659

      {
        "model": "claude-haiku-4-5",
        "max_tokens": 8192,
        "messages": [
          {
            "role": "user",
            "content": [
              {
                "type": "text",
                "text": "What is this?"
              },
              {
                "type": "image",
                "source": {
                  "type": "base64",
                  "media_type": "image/png",
                  "data": "iVBORw0KGgoiVBORw0KGgoiVBORw0KGgoiVBORw0… (440 characters)"
                }
              }
            ]
          }
        ],
        "stream": true
      }

      Price
        rates          model 0.075 x group 1; completion x 4, cached x 0.5 (built in)
        per 1M tokens  $0.15 prompt, $0.075 cached, $0.6 completion
        hold           2516 quota ($0.005032), for about 775 prompt and up to 8192
                       completion tokens
      "
    `);
    for (const line of run.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(run.stdout).not.toContain('secret-of');
  });

  it('is what its page shows', async () => {
    const page = readFileSync(new URL('../../dashboard/docs/explain.md', import.meta.url), 'utf8');
    const [, stdin = ''] = /```json\n(.*?)\n```/s.exec(page) ?? [];
    const [, shown = ''] = /```text\n(.*?)```/s.exec(page) ?? [];
    const run = await home.run('explain --body -', { stdin });
    expect(timeless(run.stdout)).toBe(timeless(shown));
  });

  it('says it in Chinese', async () => {
    const run = await home.run(`explain -m ${model} --group vip --language zh`);
    expect(timeless(run.stdout)).toMatchInlineSnapshot(`
      "gpt-4o-mini，分组 vip，openai-chat
      可以处理  由渠道 5（vip）处理

      渠道
      → 5 vip    openai     100 %  权重 0
        1 main   anthropic  否     只服务分组 default，不含分组 vip
        2 also   openai     否     只服务分组 default，不含分组 vip
        4 old    azure      否     只服务分组 default，不含分组 vip；已被禁用
        3 spare  gemini     否     只服务分组 default，不含分组 vip
          未列出该模型的渠道：1 个，用 --json 查看

      发往渠道 5（vip）的请求
        POST https://api.openai.com/v1/chat/completions
        authorization   Bearer se…6789
        content-type    application/json
        content-length  67

      {
        "model": "gpt-4o-mini",
        "messages": [
          {
            "role": "user",
            "content": "hi"
          }
        ]
      }

      价格
        倍率          模型 0.075 x 分组 1；补全 x 4，缓存 x 0.5（内置）
        每百万 token  提示 $0.15，缓存 $0.075，补全 $0.6
        预扣          150 额度（$0.0003），约 2 个提示 token、至多 500 个补全 token
      "
    `);
  });

  it('--json has the fields of the API and stays as it is', async () => {
    const run = await home.run(`explain -m ${model} --channel also --json`);
    expect(run.stderr).toBe('');
    expect(timeless(JSON.stringify(run.json(), undefined, 2))).toMatchInlineSnapshot(`
      "{
        "served": true,
        "model": "gpt-4o-mini",
        "group": "default",
        "protocol": "openai-chat",
        "stream": false,
        "token": null,
        "refusals": [],
        "pinned": true,
        "retries": 0,
        "limits": [],
        "sees_circuits": false,
        "channels": [
          {
            "id": 2,
            "name": "also",
            "type": 1,
            "status": 1,
            "priority": 0,
            "weight": 0,
            "chance": 1,
            "type_name": "openai",
            "turn": 1,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": []
          },
          {
            "id": 1,
            "name": "main",
            "type": 14,
            "status": 1,
            "priority": 0,
            "weight": 30,
            "chance": 0,
            "type_name": "anthropic",
            "turn": null,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": [
              {
                "code": "explain.otherChannel",
                "message": "the call is limited to channel 2"
              }
            ]
          },
          {
            "id": 4,
            "name": "old",
            "type": 3,
            "status": 2,
            "priority": 0,
            "weight": 0,
            "chance": 0,
            "type_name": "azure",
            "turn": null,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": [
              {
                "code": "explain.otherChannel",
                "message": "the call is limited to channel 2"
              }
            ]
          },
          {
            "id": 5,
            "name": "vip",
            "type": 1,
            "status": 1,
            "priority": 0,
            "weight": 0,
            "chance": 0,
            "type_name": "openai",
            "turn": null,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": [
              {
                "code": "explain.otherChannel",
                "message": "the call is limited to channel 2"
              }
            ]
          },
          {
            "id": 6,
            "name": "embedding",
            "type": 1,
            "status": 1,
            "priority": 0,
            "weight": 0,
            "chance": 0,
            "type_name": "openai",
            "turn": null,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": [
              {
                "code": "explain.otherChannel",
                "message": "the call is limited to channel 2"
              }
            ]
          },
          {
            "id": 3,
            "name": "spare",
            "type": 24,
            "status": 1,
            "priority": -5,
            "weight": 0,
            "chance": 0,
            "type_name": "gemini",
            "turn": null,
            "conversation": null,
            "first_token": null,
            "health": null,
            "reasons": [
              {
                "code": "explain.otherChannel",
                "message": "the call is limited to channel 2"
              }
            ]
          }
        ],
        "request": {
          "channel_id": 2,
          "channel_name": "also",
          "method": "POST",
          "url": "https://api.openai.com/v1/chat/completions",
          "headers": {
            "authorization": "Bearer se…6789",
            "content-type": "application/json",
            "content-length": "67"
          },
          "signed_by": "",
          "proxy": "",
          "upstream_model": "gpt-4o-mini",
          "upstream_protocol": "openai-chat",
          "overridden": [],
          "dropped": [],
          "fetched": [],
          "body": "{\\"model\\":\\"gpt-4o-mini\\",\\"messages\\":[{\\"role\\":\\"user\\",\\"content\\":\\"hi\\"}]}",
          "body_bytes": 67
        },
        "price": {
          "kind": "ratio",
          "source": "builtin",
          "model_ratio": 0.075,
          "completion_ratio": 4,
          "cache_ratio": 0.5,
          "model_price": -1,
          "group_ratio": 1,
          "quota_per_unit": 500000,
          "per_million": {
            "prompt": 0.15,
            "cached": 0.075,
            "completion": 0.6
          },
          "prompt_tokens": 2,
          "completion_tokens": 500,
          "hold": 150
        }
      }"
    `);
  });

  it('exits with 3 when no channel would serve, and with 2 for an invalid call', async () => {
    const unknown = await home.run('explain -m gpt-4o-minx');
    expect(unknown.code).toBe(3);
    expect(unknown.stdout.replace(/\s+/g, ' ')).toContain('Near: gpt-4o-mini');
    expect(unknown.stdout).toContain('\n            an administrator can set a price with: ');
    const off = await home.run('explain -m gpt-4o-mini --channel old --json');
    expect(off.code).toBe(3);
    expect(off.json()).toMatchObject({ served: false, refusals: [{ code: 'token.pinDisabled' }] });
    for (const words of ['explain', 'explain -m x --group a --token b', 'explain -m x --protocol smoke']) {
      const wrong = await home.run(words);
      expect(wrong.code, words).toBe(2);
      expect(wrong.stdout).toBe('');
    }
    expect((await home.run('explain -m x --body /nowhere/at-all.json')).stderr).toContain('/nowhere/at-all.json');
    expect((await home.run('explain --body -', { stdin: '{"model":' })).code).toBe(2);
    expect((await home.run('explain -m x --channel nobody')).code).toBe(3);
    expect((await home.run('explain -m x --token nobody')).code).toBe(3);
  });

  it('reads the body from standard input, and asks as a token', async () => {
    await home.run('token create --name ci --models gpt-4o');
    const stdin = JSON.stringify({ model, input: 'hi' });
    const run = await home.run('explain --body - --protocol openai-responses --token ci --json', { stdin });
    expect(run.json()).toMatchObject({
      served: false,
      token: { name: 'ci', username: 'root' },
      refusals: [{ code: 'token.modelRefused' }],
      request: { channel_name: 'main', upstream_protocol: 'anthropic-messages' },
    });
    expect(upstream.requests).toEqual([]);
  });

  it('lists the limits of the call with what is left of each', async () => {
    await home.run('token create --name limited');
    await home.run('limit create --token limited --requests-per-minute 60');
    await home.run(['limit', 'create', '--user', 'root', '--budget', '$20', '--per', 'month']);
    const run = await home.run(`explain -m ${model} --token limited`);
    const [, block = ''] = /^Limits\n((?: .*\n)+)/m.exec(run.stdout) ?? [];
    expect(block.replace(/\s+/g, ' ').replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'THEN')).toBe(
      ' token limited 60 requests per minute: 0 used, 60 left user root $20.00 per month: $0.00 used, $20.00 left, resets at THEN ',
    );
    expect((await home.run(`explain -m ${model}`)).stdout).not.toContain('Limits');
    await home.run('limit create --each user --requests-per-minute 30');
    expect((await home.run(`explain -m ${model}`)).stdout).toMatch(/^ +each user +30 requests per minute/m);
  });
});
