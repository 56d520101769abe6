import { type ClientName, exceptionOf, matrixClients, type Outcome } from '../support/matrix/cells.ts';
import { type FeatureName, features, upstreamLabels, upstreamNames } from '../support/matrix/features.ts';
import { markdownTable } from './markdown.ts';

/** The SDKs of the vendors themselves; the AI SDK is told by how it differs. */
const ownSdks = ['openai', 'responses', 'anthropic', 'genai'] as const satisfies readonly ClientName[];
const aiSdks = {
  'ai-openai': 'openai',
  'ai-openai-responses': 'responses',
  'ai-anthropic': 'anthropic',
  'ai-google': 'genai',
} as const satisfies Partial<Record<ClientName, ClientName>>;

/** One table for each SDK, from the cells that the tests hold; notes are numbered as they come. */
export function protocolMatrix(): string {
  const notes: string[] = [];
  const tables = ownSdks.flatMap((client) => [`### ${matrixClients[client].label}`, tableOf(client, notes)]);
  const differing = (Object.keys(aiSdks) as (keyof typeof aiSdks)[]).map((client) => differences(client, notes));
  const list = notes.map((note, place) => `${place + 1}. ${note}`).join('\n');
  return [...tables, '### The AI SDK (`ai`)', differing.join('\n'), '### Notes', list].join('\n\n');
}

function tableOf(client: ClientName, notes: string[]): string {
  const rows = features.map(([feature, title]) => [
    title,
    ...upstreamNames.map((upstream) => {
      const exception = exceptionOf(client, upstream, feature);
      return exception ? cell(exception.outcome, numberOf(exception.note, notes)) : 'yes';
    }),
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

function cell({ kind }: Outcome, number: number): string {
  return `${marks[kind]} (${number})`;
}

function numberOf(note: string, notes: string[]): number {
  if (!notes.includes(note)) notes.push(note);
  return notes.indexOf(note) + 1;
}

/** Where the cells of an AI SDK provider are not those of the vendor's own SDK. */
function differences(client: keyof typeof aiSdks, notes: string[]): string {
  const { label } = matrixClients[client];
  const own = aiSdks[client];
  const found = features.flatMap(([feature, title]) => {
    const differing = upstreamNames.filter(
      (upstream) => textOf(client, upstream, feature) !== textOf(own, upstream, feature),
    );
    return [...new Set(differing.map((upstream) => differenceOf(client, upstream, feature, notes)))].map((how) => {
      const where = differing.filter((upstream) => differenceOf(client, upstream, feature, notes) === how);
      const place =
        where.length === upstreamNames.length ? '' : ` on ${where.map((name) => upstreamLabels[name]).join(', ')}`;
      return `${title.charAt(0).toLowerCase()}${title.slice(1)}${place}: ${how}`;
    });
  });
  const same = `as ${matrixClients[own].label}`;
  return `- ${label}: ${found.length === 0 ? same : `${same}, but ${found.join('; ')}`}.`;
}

function textOf(client: ClientName, upstream: (typeof upstreamNames)[number], feature: FeatureName): string {
  const exception = exceptionOf(client, upstream, feature);
  return exception ? `${exception.outcome.kind} ${exception.note}` : 'works';
}

function differenceOf(
  client: ClientName,
  upstream: (typeof upstreamNames)[number],
  feature: FeatureName,
  notes: string[],
): string {
  const exception = exceptionOf(client, upstream, feature);
  return exception ? cell(exception.outcome, numberOf(exception.note, notes)) : 'yes';
}
