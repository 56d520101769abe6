import { describe, expect, it } from 'vitest';
import { bedrockModelId, bedrockProfiles, clientName } from '../../../../core/providers/aws/model-id.ts';

describe('model of a Bedrock call', () => {
  it.each([
    ['claude-instant-1.2', 'anthropic.claude-instant-v1'],
    ['claude-2.0', 'anthropic.claude-v2'],
    ['claude-2.1', 'anthropic.claude-v2:1'],
    ['claude-3-haiku-20240307', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-opus-20240229', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['claude-3-5-sonnet-20240620', 'us.anthropic.claude-3-5-sonnet-20240620-v1:0'],
    ['claude-3-5-sonnet-20241022', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-5-sonnet-latest', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-5-haiku-20241022', 'us.anthropic.claude-3-5-haiku-20241022-v1:0'],
    ['claude-3-7-sonnet-20250219', 'us.anthropic.claude-3-7-sonnet-20250219-v1:0'],
    ['claude-opus-4-1', 'us.anthropic.claude-opus-4-1-20250805-v1:0'],
    ['claude-sonnet-4-5-20250929', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-opus-4-6', 'us.anthropic.claude-opus-4-6-v1'],
    ['claude-sonnet-4-6', 'us.anthropic.claude-sonnet-4-6'],
    ['claude-opus-5-5', 'us.anthropic.claude-opus-5-5'],
    ['claude-fable-5', 'us.anthropic.claude-fable-5'],
  ])('%s is %s in the United States', (name, id) => {
    expect(bedrockModelId(name, 'us-west-2')).toBe(id);
  });

  it.each([
    ['eu-west-1', 'eu.'],
    ['us-gov-west-1', 'us-gov.'],
    ['ap-northeast-1', 'jp.'],
    ['ap-southeast-2', 'au.'],
    ['ap-south-1', 'global.'],
    ['ca-central-1', 'global.'],
    ['cn-north-1', ''],
  ])('is reached from %s through the profile "%s"', (region, prefix) => {
    expect(bedrockModelId('claude-sonnet-4-5-20250929', region)).toBe(
      `${prefix}anthropic.claude-sonnet-4-5-20250929-v1:0`,
    );
  });

  it('is reached from Asia as its generation allows', () => {
    expect(bedrockModelId('claude-3-7-sonnet-20250219', 'ap-northeast-1')).toMatch(/^apac\./);
    expect(bedrockModelId('claude-opus-4-5-20251101', 'ap-northeast-1')).toMatch(/^global\./);
    expect(bedrockModelId('claude-3-haiku-20240307', 'ap-northeast-1')).toMatch(/^anthropic\./);
  });

  it('takes the profile that the operator names, or none', () => {
    expect(bedrockModelId('claude-sonnet-4-6', 'eu-west-1', 'global')).toBe('global.anthropic.claude-sonnet-4-6');
    expect(bedrockModelId('claude-sonnet-4-6', 'eu-west-1', '')).toBe('anthropic.claude-sonnet-4-6');
  });

  it.each([
    'global.anthropic.claude-sonnet-4-6',
    'anthropic.claude-3-haiku-20240307-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123',
    'abc123profile',
  ])('passes %s as it is', (id) => {
    expect(bedrockModelId(id, 'us-east-1', 'global')).toBe(id);
  });

  it.each([
    ['anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku-20240307'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-opus-5', 'claude-opus-5'],
    ['anthropic.claude-3-sonnet-20240229-v1:0:28k', 'anthropic.claude-3-sonnet-20240229-v1:0:28k'],
  ])('is listed as clients know it: %s is %s', (id, name) => {
    expect(clientName(id)).toBe(name);
  });
});

describe('ways to a model of Bedrock', () => {
  it.each([
    ['claude-sonnet-4-5', 'us-east-1', ['us', 'global', '']],
    ['claude-sonnet-4-5', 'eu-west-1', ['eu', 'global', '']],
    ['claude-sonnet-4-5', 'ap-northeast-1', ['jp', 'global', '']],
    ['claude-opus-4-6', 'ap-south-1', ['global', '']],
    ['claude-opus-4-6', 'ca-central-1', ['global', '']],
    ['claude-3-7-sonnet-20250219', 'ap-south-1', ['apac', '']],
    ['claude-3-haiku-20240307', 'us-east-1', ['']],
    ['claude-sonnet-4-5', 'us-gov-west-1', ['us-gov', '']],
    ['claude-sonnet-4-5', 'cn-north-1', ['']],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'us-east-1', ['']],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/a', 'us-east-1', ['']],
  ])('%s from %s: %j', (model, region, profiles) => {
    expect(bedrockProfiles(model, region)).toEqual(profiles);
  });
});
