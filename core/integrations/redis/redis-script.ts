import { createHash } from 'node:crypto';

export interface RedisScript {
  text: string;
  sha: string;
}

export function redisScript(text: string): RedisScript {
  // The name Redis itself gives a script; nothing is protected by it.
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
