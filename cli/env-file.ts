import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** What needs no quotes in `.env`. */
const plain = /^[\w:/@.%?&=+~,;!*()[\]-]*$/;

/** Sets one variable in a file of settings and keeps every other line; a new file is readable by its owner alone. */
export function setInEnvFile(file: string, name: string, value: string): void {
  const isThere = existsSync(file);
  const text = isThere ? readFileSync(file, 'utf8') : '';
  const line = `${name}=${plain.test(value) ? value : `'${value}'`}`;
  const setting = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  const lines = text.split('\n').filter((one, index, all) => one !== '' || index < all.length - 1);
  const at = lines.findIndex((one) => setting.test(one));
  // The last one counts, so that none of the others may stay.
  const others = lines.filter((one) => !setting.test(one));
  others.splice(at < 0 ? others.length : at, 0, line);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${others.join('\n')}\n`, { mode: isThere ? statSync(file).mode & 0o777 : 0o600 });
  renameSync(draft, file);
}
