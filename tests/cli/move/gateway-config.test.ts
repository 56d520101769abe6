import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textIn } from '../../../core/text/text.ts';
import { startFakeUpstream } from '../../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';

interface Result {
  data: {
    kind: string;
    channels: { name: string; type: string; models: string; key_from: string; [field: string]: unknown }[];
    left: { place: string; reason: string }[];
  };
}

const liteLlm = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: openai/gpt-4o
      api_key: os.environ/OPENAI_KEY
      rpm: 480
      tpm: 100000
  - model_name: fast
    litellm_params: { model: gpt-4o-mini, api_key: os.environ/OPENAI_KEY }
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-eu
      api_base: https://eu.openai.azure.com/
      api_key: sk-azure-in-file
      api_version: "2024-10-21"
      order: 2
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4, litellm_credential_name: claude-account }
    model_info: { mode: chat }
  - model_name: llama
    litellm_params: { model: groq/llama-3.3-70b, api_key: os.environ/FROM_FILE, weight: 3 }
  - model_name: local
    litellm_params: { model: hosted_vllm/qwen, api_base: http://127.0.0.1:9000/v1 }
  - model_name: bedrock
    litellm_params:
      model: bedrock/converse/anthropic.claude-3
      aws_access_key_id: AKID
      aws_secret_access_key: os.environ/AWS_SECRET
      aws_region_name: us-east-1
  - model_name: "anything/*"
    litellm_params: { model: "openai/*", api_key: x }
  - model_name: odd
    litellm_params: { model: replicate/some-model, api_key: x }
  - model_name: unset
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/NOT_SET }
  - model_name: keyless
    litellm_params: { model: openai/gpt-4o }
credential_list:
  - credential_name: claude-account
    credential_values: { api_key: sk-ant-in-file }
environment_variables:
  FROM_FILE: gsk-from-file
router_settings:
  fallbacks: [{ gpt-4o: [claude] }]
  routing_strategy: least-busy
litellm_settings: { drop_params: true }
general_settings: { master_key: sk-1234 }
`;

const env = { OPENAI_KEY: 'sk-openai-from-env', AWS_SECRET: 'aws-secret' };

let home: CliHome;
beforeEach(() => {
  home = createCliHome(env);
});
afterEach(() => home.remove());

const write = (name: string, text: string) => {
  const file = join(home.directory, name);
  writeFileSync(file, text);
  return file;
};
const dryRun = async (file: string) =>
  (await home.run(['db', 'import', file, '--dry-run', '--json'])).json<Result>().data;
const leftOf = ({ left }: Result['data']) => left.map(({ place, reason }) => `${place}: ${reason}`);
const channels = async () => (await home.run('channel list --json')).json<{ items: Record<string, unknown>[] }>().items;

describe("LiteLLM's config.yaml", () => {
  it('becomes channels, one for each account, and each line that does not is named', async () => {
    const file = write('config.yaml', liteLlm);
    const plan = await dryRun(file);
    expect(plan.channels).toMatchObject([
      {
        ...{ name: 'litellm-openai', type: 'openai', models: 'gpt-4o,fast', key_from: 'OPENAI_KEY' },
        model_mapping: '{"fast":"gpt-4o-mini"}',
      },
      {
        ...{
          name: 'litellm-azure',
          type: 'azure',
          base_url: 'https://eu.openai.azure.com',
          key_from: '',
          priority: -2,
        },
        model_mapping: '{"gpt-4o":"gpt-4o-eu"}',
      },
      { name: 'litellm-anthropic', type: 'anthropic', models: 'claude' },
      {
        ...{ name: 'litellm-openai-2', type: 'openai', base_url: 'https://api.groq.com/openai', weight: 3 },
        key_from: 'FROM_FILE',
      },
      { name: 'litellm-openai-3', base_url: 'http://127.0.0.1:9000/v1', model_mapping: '{"local":"qwen"}' },
      { name: 'litellm-aws', type: 'aws', model_mapping: '{"bedrock":"anthropic.claude-3"}', key_from: 'AWS_SECRET' },
    ]);
    expect(leftOf(plan)).toEqual([
      'model_list[0].litellm_params.rpm: channels have no such setting',
      'model_list[0].litellm_params.tpm: channels have no such setting',
      'model_list[3].model_info: channels have no such setting',
      'model_list[7]: anything/* stands for any model; list the models with: tollgate channel create --models',
      'model_list[8]: odd: the provider replicate is not supported',
      'model_list[9]: unset: the environment variable NOT_SET is not set',
      'model_list[10]: keyless: it has no key',
      'router_settings.fallbacks: fallbacks between models do not exist here; channels of one model stand in for each other by priority',
      'router_settings.routing_strategy: channels have no such setting',
      'litellm_settings.drop_params: channels have no such setting',
      'general_settings.master_key: channels have no such setting',
    ]);
    expect(await channels()).toEqual([]);
  });

  it('shows a preview without a key, asks, and creates nothing twice', async () => {
    const file = write('config.yaml', liteLlm);
    const declined = await home.run(['db', 'import', file], { typed: ['n'] });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toContain('Create 6 channels from LiteLLM?');
    expect(declined.stdout).toMatch(/litellm-openai\s+openai\s+-\s+OPENAI_KEY\s+gpt-4o,fast/);
    const run = await home.run(['db', 'import', file, '--yes']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('left out: model_list[8]: odd: the provider replicate is not supported');
    for (const text of [declined.stdout, declined.stderr, run.stdout, run.stderr]) {
      for (const key of ['sk-openai-from-env', 'sk-azure-in-file', 'sk-ant-in-file', 'gsk-from-file', 'aws-secret']) {
        expect(text).not.toContain(key);
      }
    }
    expect(await channels()).toHaveLength(6);
    expect((await home.run(['db', 'import', file, '--yes'])).code).toBe(0);
    expect(await channels()).toHaveLength(6);
  });

  it('serves a call with the key of the environment', async () => {
    const upstream = await startFakeUpstream();
    const file = write(
      'config.yml',
      `model_list: [{ model_name: gpt-4.1, litellm_params: { model: openai/gpt-4o, api_base: ${upstream.url}/v1, api_key: os.environ/OPENAI_KEY } }]`,
    );
    expect((await home.run(['init', '--no-input', '--from', file])).code).toBe(0);
    const [created] = await channels();
    expect(created).toMatchObject({ name: 'litellm-openai', models: 'gpt-4.1' });
    const key = (await home.run('token create --user root --name calls --unlimited --json')).json<{ key: string }>()
      .key;
    const gateway = await startGateway('sqlite', home.env);
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(response.status).toBe(200);
    const [request] = upstream.requests;
    expect(request?.headers.authorization).toBe('Bearer sk-openai-from-env');
    expect(JSON.parse(String(request?.body))).toMatchObject({ model: 'gpt-4o' });
    await gateway.stop();
    await upstream.close();
  });
});

describe("Portkey's config", () => {
  it('becomes channels with the priorities and weights of its strategies', async () => {
    const file = write(
      'portkey.json',
      JSON.stringify({
        strategy: { mode: 'fallback', on_status_codes: [429] },
        retry: { attempts: 3 },
        targets: [
          {
            strategy: { mode: 'loadbalance' },
            targets: [
              { provider: 'openai', api_key: 'k1', weight: 0.7, override_params: { model: 'gpt-4o', temperature: 0 } },
              {
                provider: 'azure-openai',
                apiKey: 'k2',
                weight: 0.3,
                azureResourceName: 'eu',
                azureDeploymentId: 'dep',
              },
              { provider: 'openai', api_key: 'k5', weight: 0, override_params: { model: 'gpt-4o' } },
            ],
          },
          { provider: 'anthropic', api_key: 'k3', overrideParams: { model: 'claude-sonnet-4' } },
          { virtual_key: 'vk-1' },
          { provider: '@prod-openai' },
          { provider: 'stability-ai', api_key: 'x' },
          { provider: 'deepseek', api_key: 'k4', custom_host: 'https://example.com/v1' },
        ],
      }),
    );
    const plan = await dryRun(file);
    expect(plan.channels).toMatchObject([
      { name: 'portkey-openai', models: 'gpt-4o', priority: 0, weight: 70 },
      {
        ...{ name: 'portkey-azure', base_url: 'https://eu.openai.azure.com', models: 'gpt-4o,dep', weight: 30 },
        model_mapping: '{"gpt-4o":"dep"}',
      },
      { name: 'portkey-openai-2', weight: 0 },
      { name: 'portkey-anthropic', priority: -1, model_mapping: '{"gpt-4o":"claude-sonnet-4"}' },
      { name: 'portkey-deepseek', priority: -5, base_url: 'https://example.com/v1' },
    ]);
    expect(leftOf(plan).map((line) => line.replace(/; .*/, ''))).toEqual([
      'retry: channels have no such setting',
      'strategy.on_status_codes: channels have no such setting',
      'targets[0].targets[0].override_params.temperature: channels have no such setting',
      'targets[2]: the key is stored at Portkey',
      'targets[3]: the key is stored at Portkey',
      'targets[4]: targets[4]: the provider stability-ai is not supported',
      'targets[5]: it names no model (override_params.model), so the channel gets the known models of the provider',
    ]);
    expect((await home.run(['db', 'import', file, '--yes'])).code).toBe(0);
    const made = await channels();
    expect(made.find(({ name }) => name === 'portkey-openai-2')).toMatchObject({ status: 2 });
    expect(made.find(({ name }) => name === 'portkey-openai')).toMatchObject({ status: 1, weight: 70 });
  });

  it('of one target is read too, and its conditions are named', async () => {
    const single = await dryRun(
      write('one.json', '{"provider":"openai","api_key":"k","override_params":{"model":"gpt-4o"}}'),
    );
    expect(single.channels).toMatchObject([{ name: 'portkey-openai', models: 'gpt-4o' }]);
    const conditional = await dryRun(
      write(
        'conditional.json',
        '{"strategy":{"mode":"conditional","conditions":[]},"targets":[{"provider":"openai","api_key":"k","override_params":{"model":"m"}}]}',
      ),
    );
    expect(leftOf(conditional)).toEqual([
      'strategy.conditions: channels have no such setting',
      'strategy.mode: targets are not chosen by conditional here; all of them have the same priority',
    ]);
  });
});

describe('a file of another gateway', () => {
  it.each(['en', 'zh'] as const)(
    'that breaks off is told in %s, and nothing of the key that stands there',
    async (language) => {
      const refuse = async (name: string, text: string, words: string) => {
        const run = await home.run(['db', 'import', write(name, text), '--yes', '--language', language]);
        expect([run.code, run.stdout]).toEqual([2, '']);
        expect(run.stderr).toContain(words);
        expect(run.stderr).not.toContain('sk-secret');
      };
      const place = { line: 2, column: 25 };
      await refuse(
        'cut.yaml',
        'a:\n  key: *sk-secret-1234: x\n',
        textIn(language, 'detail', 'input.yamlBrokenAt', place),
      );
      await refuse('alias.yaml', 'a:\n  key: *sk-secret-1234\n', textIn(language, 'detail', 'input.notYaml'));
    },
  );

  it('that is none, or is broken, is refused with what to do', async () => {
    const refuse = async (file: string, words: RegExp) => {
      const run = await home.run(['db', 'import', file, '--yes']);
      expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(words)]);
    };
    await refuse(
      write('other.yaml', 'services: {}'),
      /not a LiteLLM config\.yaml or a Portkey config[\s\S]*model_list/,
    );
    await refuse(write('channels.json', '{"version":1,"channels":[]}'), /tollgate channel import/);
    await refuse(write('broken.yaml', 'a: [1, 2'), /broken\.yaml/);
    await refuse(join(home.directory, 'none.yaml'), /ENOENT/);
    const bad = 'model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: k, api_base: "ftp://x"}}]';
    const run = await home.run(['db', 'import', write('bad.yaml', bad), '--yes']);
    expect(run.stderr).toMatch(/left out: model_list\[0\]: litellm-openai: /);
    expect(run.stdout).toContain('describes no channel that can be created here');
  });

  it('is one of the choices of the wizard', async () => {
    const file = write('config.yaml', liteLlm);
    const run = await home.run('init', { typed: ['litellm', file], env: { TERM: 'dumb' } });
    expect([run.stderr, run.code]).toEqual([expect.stringContaining('channel 1 created: litellm-openai'), 0]);
    expect(await channels()).toHaveLength(6);
    const both = await home.run(['init', '--no-input', '--from', file, '--type', 'openai']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--from, --type')]);
  });
});
