import { describe, expect, it } from 'vitest';
import { readAwsKey } from '../../../../core/providers/aws/key.ts';

describe('key of an AWS channel', () => {
  it('is an access key with its region, and a session token where there is one', () => {
    expect(readAwsKey('AKID|se/cr+et|us-east-1')).toEqual({
      region: 'us-east-1',
      credential: {
        kind: 'aws',
        accessKeyId: 'AKID',
        secretAccessKey: 'se/cr+et',
        region: 'us-east-1',
        service: 'bedrock',
      },
    });
    expect(readAwsKey('AKID | secret | us-gov-west-1 | tok==').credential).toMatchObject({ sessionToken: 'tok==' });
  });

  it('is a Bedrock API key with its region', () => {
    expect(readAwsKey('ABSKabc|eu-central-1')).toEqual({ region: 'eu-central-1', bearer: 'ABSKabc' });
  });

  it.each([
    '',
    'AKID',
    'AKID|secret|',
    '|secret|us-east-1',
    'a|b|us-east-1|d|e',
    'a|b|evil.example/',
    'a|b|us-east-1.evil.example',
    'a|b|US-EAST-1',
    'a|@evil-1',
  ])('is refused when it is %j, whose region could name another host', (key) => {
    expect(() => readAwsKey(key)).toThrow('key must look like AccessKeyId|SecretAccessKey|Region');
  });
});
