import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'dist/licenses.txt');
const licenseFile =
  /^(licen[cs]e|notice|copying|copyrightnotice|third-?party-?(licen[cs]es?|notices?))([.-][\w-]+)?(\.\w+)?$/i;
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/?]+/;
const line = `\n${'-'.repeat(80)}\n\n`;

/** The folders of the packages that these files belong to. */
export function packageFolders(paths: Iterable<string>): string[] {
  const folders = [...paths].flatMap((path) => packageFolder.exec(path.replace(/^(\0|[\w ]+:)/, ''))?.[0] ?? []);
  return [...new Set(folders)];
}

/** What an installation brings beside the program. */
export function installedFolders(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path);
}

/**
 * What the licenses of these packages ask for: their text and their copyright lines go where their code goes. Packages under the same
 * text are named above it together.
 */
export function writeLicenses(folders: string[], former: License[] = []): void {
  const groups = new Map<string, License[]>();
  for (const license of [...former, ...folders.map(licenseOf)]) {
    const words = license.text.replace(/\s+/g, ' ');
    groups.set(words, [...(groups.get(words) ?? []), license]);
  }
  const parts = [...groups.values()].map((some) => {
    const heads = [...new Set(some.map(({ head }) => head))].sort();
    return `${heads.join('\n')}\n\n${some[0]?.text}\n`;
  });
  writeFileSync(file, parts.sort().join(line));
}

/** Adds packages to those that are listed. */
export function addLicenses(folders: string[]): void {
  const parts = existsSync(file) ? readFileSync(file, 'utf8').split(line) : [];
  const former = parts.flatMap((part) => {
    const end = part.indexOf('\n\n');
    const text = part.slice(end + 2).trimEnd();
    return part
      .slice(0, end)
      .split(/\n(?=\S)/)
      .map((head) => ({ head, text }));
  });
  writeLicenses(folders, former);
}

interface License {
  /** `name version (license)`, and under it the copyright lines. */
  head: string;
  text: string;
}

const copyright = /^\s*(?:copyright\s*:?\s*(?:\(c\)|©|\d{4})|(?:\(c\)|©)\s*\d{4}).*$/gim;

function licenseOf(folder: string): License {
  const path = join(root, folder.replace(root, ''));
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} does not say under which license it is`);
  const whole = readdirSync(path)
    .filter((one) => licenseFile.test(one))
    .sort()
    .map((one) => readFileSync(join(path, one), 'utf8').replaceAll('\r\n', '\n').replaceAll('\t', '  '))
    .join('\n\n');
  const owners = (whole.match(copyright) ?? []).map((one) => `\n  ${one.trim()}`);
  const text = whole
    .replace(copyright, '')
    .replace(/\n(\s*\n)+/g, '\n\n')
    .replace(/^\s*\n|\s+$/g, '');
  return { head: `${name} ${version} (${license})${owners.join('')}`, text: text || license };
}
