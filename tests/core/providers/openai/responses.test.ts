import { describe, expect, it } from 'vitest';
import type { ChannelTarget } from '../../../../core/providers/adapter.ts';
import { upstreamProtocol } from '../../../../core/providers/upstream-protocol.ts';
import { adapterOf, type CallOptions, channelOf, send } from '../call.ts';

const body = { model: 'gpt-5.4', input: 'hi' };
const responses = (type: number, sent: Record<string, unknown>, options: CallOptions = {}) =>
  send(type, sent, { protocol: 'openai-responses', ...options });
const spoken = (type: number, protocol: 'openai-chat' | 'openai-responses', model: string, channel = {}) =>
  upstreamProtocol(adapterOf(type), protocol, model, channelOf(type, channel));

describe('what OpenAI speaks for a model', () => {
  it.each(['gpt-4o', 'gpt-5.4', 'o3-mini', 'gpt-5-mini', 'gpt-4-turbo', 'vendor/model-pro', 'gpt-5-product'])(
    '%s: protocol of the client',
    (model) => {
      expect(spoken(1, 'openai-chat', model)).toBe('openai-chat');
      expect(spoken(1, 'openai-responses', model)).toBe('openai-responses');
    },
  );

  it.each([
    'o1-pro',
    'o3-pro-2025-06-10',
    'gpt-5-pro',
    'gpt-5.2-pro',
    'codex-mini-latest',
    'gpt-5-codex',
    'gpt-5.1-codex-max',
    'o4-mini-deep-research-2025-06-26',
    'computer-use-preview',
  ])('%s: Responses, for a chat client too', (model) => {
    expect(spoken(1, 'openai-chat', model)).toBe('openai-responses');
    expect(spoken(3, 'openai-chat', model, { base_url: 'https://r.example' })).toBe('openai-responses');
  });

  it.each(['gpt-4o-audio-preview', 'gpt-audio-mini', 'gpt-4o-mini-search-preview', 'gpt-5-search-api'])(
    '%s: chat, for a Responses client too',
    (model) => {
      expect(spoken(1, 'openai-responses', model)).toBe('openai-chat');
    },
  );

  it('is chat alone behind an address that has no Responses', () => {
    const setting = { responses: false };
    expect(spoken(1, 'openai-responses', 'gpt-5.4', { setting })).toBe('openai-chat');
    expect(spoken(1, 'openai-chat', 'gpt-5-codex', { setting })).toBe('openai-chat');
    const base_url = 'https://gateway.ai.cloudflare.com/v1/acc/gate/azure-openai/res';
    expect(spoken(3, 'openai-responses', 'gpt-5.4', { base_url })).toBe('openai-chat');
    expect(spoken(3, 'openai-responses', 'gpt-5.4', { base_url, other: 'v1' })).toBe('openai-responses');
  });

  it('is Responses at Cloudflare for OpenAI’s open models alone', () => {
    expect(spoken(39, 'openai-responses', '@cf/openai/gpt-oss-120b')).toBe('openai-responses');
    expect(spoken(39, 'openai-responses', '@cf/meta/llama-3')).toBe('openai-chat');
  });
});

describe('a Responses call to OpenAI', () => {
  it('passes through as it is', () => {
    const sent = responses(1, { ...body, temperature: 0.3, previous_response_id: 'resp_1', unknown: 1, stream: true });
    expect(sent).toMatchObject({ url: 'https://api.openai.com/v1/responses', edits: [] });
  });

  it('reads the effort off the name, beside what the client says of its reasoning', () => {
    const sent = responses(1, { ...body, model: 'o3-mini-high', temperature: 0.5, reasoning: { summary: 'auto' } });
    expect(sent.body).toEqual({ model: 'o3-mini', input: 'hi', reasoning: { summary: 'auto', effort: 'high' } });
  });
});

describe('a Responses call to Azure', () => {
  const base_url = 'https://res.openai.azure.com';
  const url = (channel: Partial<ChannelTarget> = {}, query = '') =>
    responses(3, body, { channel: { base_url, ...channel }, query }).url;

  it('is not a deployment’s, and names its deployment in the body', () => {
    expect(url({ other: '2025-04-01-preview' })).toBe(`${base_url}/openai/responses?api-version=2025-04-01-preview`);
    const sent = responses(3, { ...body, model: 'gpt-4.1' }, { channel: { base_url } });
    expect(sent.body.model).toBe('gpt-41');
  });

  it('uses the first version that has Responses where an older one is set', () => {
    expect(url()).toBe(`${base_url}/openai/responses?api-version=2025-03-01-preview`);
    expect(url({ other: '2023-06-01-preview' })).toContain('api-version=2025-03-01-preview');
    expect(url({}, 'api-version=2025-06-01')).toContain('api-version=2025-06-01');
  });

  it('needs no version in the newer form, and keeps the name', () => {
    expect(url({ other: 'v1' })).toBe(`${base_url}/openai/v1/responses`);
    expect(url({ base_url: `${base_url}/openai/v1` })).toBe(`${base_url}/openai/v1/responses`);
    expect(responses(3, { ...body, model: 'gpt-4.1' }, { channel: { base_url, other: 'v1' } }).edits).toEqual([]);
  });
});

describe('the reasoning of earlier turns', () => {
  const replays = (type: number, model: string) =>
    adapterOf(type).writeContext?.(model, channelOf(type))?.replaysReasoning ?? false;

  it.each([
    [43, 'deepseek-flash', true],
    [25, 'kimi-k2.6', true],
    [25, 'moonshot-v1-8k', false],
    [1, 'gpt-5.4', false],
    [46, 'ernie-4', false],
  ])('type %d, %s: goes back as text: %s', (type, model, isReplayed) => {
    expect(replays(type, model)).toBe(isReplayed);
  });
});
