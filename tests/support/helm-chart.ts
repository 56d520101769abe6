import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readTemplate, renderTemplate } from './go-template.ts';

type Values = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: Kubernetes objects have many shapes
export type Manifest = Record<string, any>;

export interface RenderedChart {
  manifests: Manifest[];
  notes: string;
}

/** What `helm template gateway --namespace ai` makes of the chart with these values. Throws what the chart refuses. */
export function renderChart(folder: string, values: Values = {}): RenderedChart {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const chart = parse(read('Chart.yaml')) as { name: string; version: string; appVersion: string };
  const dot = {
    Values: merge(parse(read('values.yaml')) as Values, values),
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: 'gateway', Namespace: 'ai', Service: 'Helm' },
  };
  const definitions = new Map();
  const templates = readdirSync(join(folder, 'templates')).map(
    (name) => [name, readTemplate(read(`templates/${name}`), definitions)] as const,
  );
  const texts = new Map(templates.map(([name, nodes]) => [name, renderTemplate(nodes, dot, definitions)]));
  const manifests = [...texts]
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) => manifestsIn(name, text));
  return { manifests, notes: texts.get('NOTES.txt') ?? '' };
}

function manifestsIn(name: string, text: string): Manifest[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  if (!Array.isArray(documents)) return [];
  for (const { errors } of documents) if (errors[0]) throw new Error(`${name}: ${errors[0].message}\n${text}`);
  return documents.map((document) => document.toJS() as Manifest | null).filter((one) => one !== null);
}

/** As Helm lays values over those of the chart. */
export function merge(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = base[key];
    merged[key] = isMap(below) && isMap(value) ? merge(below, value) : value;
  }
  return merged;
}
