import { readFile, writeFile } from 'node:fs/promises';

interface Badge {
  label: string;
  value: string;
}

const root = new URL('../../', import.meta.url);
const folder = new URL('dashboard/docs/images/', root);
/** Of the font below, on average. */
const letterWidth = 6.6;
const padding = 14;

/** Small signs below the title of the README. They say what package.json says. */
export async function badges(): Promise<Record<string, string>> {
  const { license, engines } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    license: string;
    engines: { node: string };
  };
  return {
    'badge-license.svg': drawn({ label: 'license', value: license }),
    'badge-node.svg': drawn({ label: 'node', value: engines.node }),
    'badge-database.svg': drawn({ label: 'database', value: 'SQLite | PostgreSQL' }),
  };
}

export async function writeBadges(): Promise<void> {
  for (const [name, text] of Object.entries(await badges())) await writeFile(new URL(name, folder), text);
}

export const readBadge = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

function drawn({ label, value }: Badge): string {
  const [left, right] = [label, value].map((text) => Math.round(text.length * letterWidth + padding)) as [
    number,
    number,
  ];
  const shown = value.replace('>', '&gt;');
  const text = (at: number, words: string) =>
    `<text x="${at}" y="14" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${shown}">
<rect width="${left + right}" height="20" rx="3" fill="#424242"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="#0f6cbd"/>
${text(left / 2, label)}
${text(left + right / 2, shown)}
</svg>
`;
}
