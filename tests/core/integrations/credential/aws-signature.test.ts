import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../../core/integrations/credential/authorizer.ts';
import { createOutbound } from '../../../../core/integrations/outbound/outbound.ts';

const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
const now = () => Date.parse('2026-01-02T03:04:05Z');
const credential = {
  kind: 'aws',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'bedrock',
} as const;
const body = Buffer.from(
  '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}',
);
const request = {
  url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-5-haiku-20241022-v1%3A0/invoke',
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json', 'content-length': '101' },
  body,
};
const sign = async (changes: Partial<typeof request> = {}, extra = {}): Promise<Record<string, string>> => {
  const { headers = {} } = await createAuthorizer({ outbound, now }).authorize(
    { ...request, ...changes },
    { ...credential, ...extra },
    { privateAllowed: false },
  );
  return headers;
};

describe('signature of an AWS request', () => {
  it('is the one AWS computes', async () => {
    expect(await sign()).toEqual({
      'x-amz-date': '20260102T030405Z',
      'x-amz-content-sha256': '616eb59224eb795b641b4c541ad9ee8b939a1e8798f73b54fce66bb79ddbb992',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/bedrock/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, ' +
        'Signature=d057baa5899baa1fa67242b912c2dea0bd45177295a63fc9948104ed0e4c5dfd',
    });
  });

  it.each([
    [
      'global.anthropic.claude-sonnet-4-5-20250929-v1%3A0',
      '0e3ab826f986019b492ad2902825f3f33cb1acb7bba14b27ea8ad3999435e5a5',
    ],
    [
      'arn%3Aaws%3Abedrock%3Aeu-west-1%3A123456789012%3Aapplication-inference-profile%2Fab12cd34',
      '6cf1a8b1f8e0356af56cc98d7c9745c7712ace571da75bb488df7bb2ca5cb402',
    ],
  ])('is the one AWS computes for the profile %s', async (id, signature) => {
    const url = `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${id}/invoke`;
    const { authorization } = await sign({ url }, { region: 'eu-west-1' });
    expect(authorization).toMatch(new RegExp(`/eu-west-1/bedrock/.*Signature=${signature}$`));
  });

  it('covers the body, the address and the query', async () => {
    const { authorization } = await sign();
    const others = await Promise.all([
      sign({ body: Buffer.from('{}') }),
      sign({ url: request.url.replace('invoke', 'converse') }),
      sign({ url: `${request.url}?a=b` }),
      sign({ url: request.url.replace('.com', '.com:8443') }),
    ]);
    expect(new Set([authorization, ...others.map((headers) => headers.authorization)]).size).toBe(5);
  });

  it('covers the session token, and sends it along', async () => {
    const headers = await sign({}, { sessionToken: 'tok==' });
    expect(headers['x-amz-security-token']).toBe('tok==');
    expect(headers.authorization).toContain('x-amz-date;x-amz-security-token');
  });

  it('is not worth a second try when it was refused', async () => {
    expect(createAuthorizer({ outbound, now }).refused(credential, { ...request, headers: await sign() })).toBe(false);
  });
});
