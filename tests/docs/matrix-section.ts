import type { Language } from '../../core/text/text.ts';
import { type ClientName, cellNotes, exceptionOf, matrixClients, type Outcome } from '../support/matrix/cells.ts';
import {
  type FeatureName,
  features,
  type UpstreamName,
  upstreamLabels,
  upstreamNames,
} from '../support/matrix/features.ts';
import { markdownTable } from './markdown.ts';

/** The SDKs of the vendors themselves; the AI SDK is told by how it differs. */
const ownSdks = ['openai', 'responses', 'anthropic', 'genai'] as const satisfies readonly ClientName[];
const aiSdks = {
  'ai-openai': 'openai',
  'ai-openai-responses': 'responses',
  'ai-anthropic': 'anthropic',
  'ai-google': 'genai',
} as const satisfies Partial<Record<ClientName, ClientName>>;

type Note = keyof typeof cellNotes;

const words = {
  notes: { en: 'Notes', zh: '注释' },
  aiSdk: { en: 'The AI SDK (`ai`)', zh: 'AI SDK（`ai`）' },
};

/** One table for each SDK, from the cells that the tests contain; notes are numbered in order of appearance. */
export function protocolMatrix(language: Language): string {
  const notes: Note[] = [];
  const tables = ownSdks.flatMap((client) => [`### ${matrixClients[client].label}`, tableOf(client, notes, language)]);
  const differing = (Object.keys(aiSdks) as (keyof typeof aiSdks)[]).map((client) =>
    differences(client, notes, language),
  );
  const list = notes.map((note, place) => `${place + 1}. ${cellNotes[note][language]}`).join('\n');
  const titles = [words.aiSdk, words.notes].map((title) => `### ${title[language]}`);
  return [...tables, titles[0], differing.join('\n'), titles[1], list].join('\n\n');
}

function tableOf(client: ClientName, notes: Note[], language: Language): string {
  const rows = features.map(([feature, title]) => [
    title[language],
    ...upstreamNames.map((upstream) => cellOf(client, upstream, feature, notes)),
  ]);
  return markdownTable(['', ...Object.values(upstreamLabels)], rows);
}

const marks: Record<Outcome['kind'], string> = {
  works: 'yes',
  lost: 'named',
  forgotten: 'SDK',
  refused: 'refused',
  unsaid: '-',
};

function cellOf(client: ClientName, upstream: UpstreamName, feature: FeatureName, notes: Note[]): string {
  const exception = exceptionOf(client, upstream, feature);
  if (!exception) return 'yes';
  if (!notes.includes(exception.note)) notes.push(exception.note);
  return `${marks[exception.outcome.kind]} (${notes.indexOf(exception.note) + 1})`;
}

/** Where the cells of an AI SDK provider are not those of the vendor's own SDK. */
function differences(client: keyof typeof aiSdks, notes: Note[], language: Language): string {
  const own = aiSdks[client];
  const found = features.flatMap(([feature, title]) => {
    const differing = upstreamNames.filter(
      (upstream) => textOf(client, upstream, feature) !== textOf(own, upstream, feature),
    );
    const cells = differing.map((upstream) => cellOf(client, upstream, feature, notes));
    return [...new Set(cells)].map((cell) => {
      const where = differing.filter((_upstream, place) => cells[place] === cell).map((name) => upstreamLabels[name]);
      return difference({ title: title[language], cell, where, language });
    });
  });
  const [label, other] = [matrixClients[client].label, matrixClients[own].label];
  if (language === 'zh')
    return `- ${label}：与 ${other} 相同${found.length === 0 ? '' : `，以下除外：${found.join('；')}`}。`;
  return `- ${label}: same as ${other}${found.length === 0 ? '' : `, except ${found.join('; ')}`}.`;
}

interface Difference {
  title: string;
  cell: string;
  /** All upstreams when it holds for each. */
  where: string[];
  language: Language;
}

function difference({ title, cell, where, language }: Difference): string {
  const everywhere = where.length === upstreamNames.length;
  if (language === 'zh') return `${title}${everywhere ? '' : `（${where.join('、')}）`}：${cell}`;
  return `“${title}”${everywhere ? '' : ` on ${where.join(', ')}`}: ${cell}`;
}

function textOf(client: ClientName, upstream: UpstreamName, feature: FeatureName): string {
  const exception = exceptionOf(client, upstream, feature);
  return exception ? `${exception.outcome.kind} ${exception.note}` : 'works';
}
