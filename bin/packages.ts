import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeptScript, openScript, runKept, type ScriptFile } from './kept-script.ts';

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

type Packages = KeptScript<Record<string, () => unknown>>;

const dist = dirname(fileURLToPath(import.meta.url));
let packages: Packages | undefined;
let seldom: Packages | undefined;
let seldomFile: ScriptFile | undefined;

/** The exports of a package, by the name it is imported by. `bin/build.ts` has every import of one call this. */
export function load(name: string): unknown {
  // Opened with the first package of all, and read when one of them is needed.
  seldomFile ??= openScript(dist, 'seldom');
  let script: Packages;
  if (seldomUsed.includes(name)) script = seldom ??= runKept(dist, seldomFile);
  else script = packages ??= runKept(dist, openScript(dist, 'packages'));
  script.use(name);
  return script.exports[name]?.();
}
