import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { has } from '../support/proxy-server.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { readRoot, readSample, sampleFolder } from './sample.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const { panels, templating } = JSON.parse(readSample('grafana-dashboard.json')) as {
  panels: Panel[];
  templating: { list: { definition?: string }[] };
};
const rules = (parse(readSample('prometheus-alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

/** What is shown or named beside an expression: `{{label}}` of Grafana, `{{ $labels.label }}` of Prometheus. */
const questions = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ name: title, expr, text: legendFormat })),
  ),
  ...templating.list.flatMap(({ definition: expr = '' }) => (expr ? { name: 'variable', expr, text: '' } : [])),
  ...rules.map(({ alert, expr, annotations }) => ({ name: alert, expr, text: JSON.stringify(annotations) })),
];

const wordsOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, word = '']) => word);

/** Of a running server: its metrics and the labels of each. */
function metricsOf({ gateway }: TestGateway): { name: string; labelNames: string[] }[] {
  return gateway.metrics.registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
}

/** The series as Prometheus reads them, and their labels. */
async function readExposed(gateway: TestGateway): Promise<{ names: string[]; labels: Map<string, string[]> }> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  // One that counts what did not happen has no sample yet.
  const labels = new Map(
    metricsOf(gateway).flatMap(({ name, labelNames }) => [
      [name, labelNames],
      [`${name}_bucket`, [...labelNames, 'le']],
    ]),
  );
  for (const [, name = '', pairs = ''] of text.matchAll(/^(tollgate_\w+)\{(.*)\} \S+$/gm))
    labels.set(name, wordsOf(pairs, /(\w+)="/g));
  return { names, labels };
}

/** Added by Prometheus to everything that it reads. */
const scraped = ['job', 'instance'];

describe('the Grafana board and the alerts', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.chat().then((response) => response.text());
    await gateway.chat({ stream: true }).then((response) => response.text());
    gateway.upstream.always({ status: 500 });
    await gateway.chat().then((response) => response.text());
    await fetch(`${gateway.url}/api/status`);
  });
  afterAll(() => gateway.stop());

  it('ask only for metrics and labels that a running server has', async () => {
    const { names, labels } = await readExposed(gateway);
    expect(questions.length).toBeGreaterThan(40);
    for (const { name, expr, text } of questions) {
      const metrics = [...expr.matchAll(/\b(tollgate_\w+|up\b)(?:\{([^}]*)\})?/g)];
      expect(metrics, `${name}: ${expr}`).not.toEqual([]);
      for (const [, metric = '', filter = ''] of metrics) {
        if (metric !== 'up') expect(names, name).toContain(metric);
        const filtered = wordsOf(filter, /(\w+)\s*(?:=~|!~|!=|=)/g);
        const grouped = wordsOf(expr, /by \(([^)]*)\)/g).flatMap((list) => list.split(/,\s*/));
        const shown = wordsOf(text, /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g);
        const known = [...scraped, ...(labels.get(metric) ?? [])];
        expect(known, `${name}: ${expr}`).toEqual(expect.arrayContaining([...filtered, ...grouped, ...shown]));
      }
    }
  });

  it('show every metric there is', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
    const names = metricsOf(gateway).map(({ name }) => name);
    expect(names.filter((name) => !new RegExp(`\\b${name}(_bucket|\\b)`).test(shown))).toEqual([]);
  });

  it.each(['operate.md', 'operate.zh.md'])('%s explains every metric with its labels, and every outcome', (page) => {
    const rows = readRoot(`dashboard/docs/${page}`).match(/^\| `tollgate_.*$/gm) ?? [];
    for (const { name, labelNames } of metricsOf(gateway)) {
      const [row = ''] = rows.filter((one) => one.includes(`\`${name}\``));
      expect(row, name).not.toBe('');
      for (const label of labelNames.filter((one) => one !== 'le')) expect(row, name).toContain(`\`${label}\``);
    }
    const outcomes = questions.flatMap(({ expr }) =>
      wordsOf(expr, /outcome=~?"([^"]*)"/g).flatMap((list) => list.split('|')),
    );
    const [row] = rows.filter((one) => one.includes('relay_requests_total'));
    for (const outcome of outcomes) expect(row).toContain(`\`${outcome}\``);
  });
});

describe('the Grafana board', () => {
  it('has panels that do not overlap, each with its own ID and a title', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ title, gridPos: { x, w } }) => title === '' || x + w > 24)).toEqual([]);
  });
});

describe('the alerts', () => {
  it('say how bad it is, what happened and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning', 'info'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).not.toBe('');
      expect(annotations.description, alert).not.toBe('');
    }
  });
});

describe.skipIf(!has('promtool'))('to Prometheus itself', () => {
  it('the alerts are valid, and fire when they should', () => {
    const promtool = (...words: string[]) => execFileSync('promtool', words, { encoding: 'utf8', stdio: 'pipe' });
    expect(promtool('check', 'rules', join(sampleFolder, 'prometheus-alerts.yml'))).toContain('SUCCESS');
    expect(promtool('test', 'rules', new URL('prometheus-alerts.yml', import.meta.url).pathname)).toContain('SUCCESS');
  });

  it('every question of the board is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-board-'));
    const file = join(folder, 'board.yml');
    const asked = questions
      .map(({ expr }) => expr.replaceAll(/\$__(rate_interval|range)\b/g, '5m'))
      .filter((expr) => !expr.startsWith('label_values'));
    writeFileSync(
      file,
      JSON.stringify({
        groups: [{ name: 'board', rules: asked.map((expr, at) => ({ record: `panel_${at}`, expr })) }],
      }),
    );
    const said = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    rmSync(folder, { recursive: true });
    expect(said).toContain(`${asked.length} rules found`);
  });
});
