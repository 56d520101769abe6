import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeptScript, runKept, type ScriptKind } from './kept-script.ts';

/** For Redis, mail, sign-in elsewhere, keys of AWS, imported passwords and configurations of other gateways: most servers need none of them. */
export const seldomUsed: readonly string[] = [
  '@smithy/core/checksum',
  '@smithy/signature-v4',
  'bcryptjs',
  'ioredis',
  'jose',
  'nodemailer',
  'yaml',
];

const scripts = new Map<ScriptKind, KeptScript<Record<string, () => unknown>>>();

/** The exports of a package, by the name it is imported by. `bin/build.ts` has every import of one call this. */
export function load(name: string): unknown {
  const kind = seldomUsed.includes(name) ? 'seldom' : 'packages';
  const script = scripts.get(kind) ?? runKept(dirname(fileURLToPath(import.meta.url)), kind);
  scripts.set(kind, script);
  script.use(name);
  return script.exports[name]?.();
}
