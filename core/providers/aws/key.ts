import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import type { UpstreamCredential } from '../adapter.ts';

/** How a channel's key proves who we are, and where its models run. */
export interface AwsKey {
  region: string;
  /** Set for a Bedrock API key, which goes as it is. */
  bearer?: string;
  /** Set for an access key, which signs each request. */
  credential?: UpstreamCredential;
}

const form = coded('channel.awsKey');

/** Name of Bedrock in a signature, for its runtime and its control plane alike. */
const service = 'bedrock';

export function readAwsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim());
  if (parts.some((part) => part === '')) throw wrongForm();
  const [first = '', second = '', third = '', sessionToken] = parts;
  if (parts.length === 2) return { region: checkedRegion(second), bearer: first };
  if (parts.length !== 3 && parts.length !== 4) throw wrongForm();
  const region = checkedRegion(third);
  const secrets = { accessKeyId: first, secretAccessKey: second, ...(sessionToken && { sessionToken }) };
  return { region, credential: { kind: 'aws', ...secrets, region, service } };
}

/** The region becomes part of a host name. */
function checkedRegion(region: string): string {
  if (!/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(region)) throw wrongForm();
  return region;
}

function wrongForm(): AppError {
  return new AppError('provider.keyForm', { form });
}
