import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../support/run-cli.ts';
import { readRoot, readSample, sampleFolder } from './sample.ts';

const pages = ['dashboard/docs/deploy.md', 'dashboard/docs/deploy.zh.md'];
/** Where a reader is told to type a command. */
const texts = [
  ...pages.map(readRoot),
  ...['prometheus-alerts.yml', 'helm/tollgate/templates/NOTES.txt'].map(readSample),
];

interface Rule {
  alert: string;
  labels: { severity: string };
}

describe.each(pages)('%s', (page) => {
  it('links to every sample', () => {
    const files = readdirSync(sampleFolder, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(7);
    for (const { name } of files) expect(readRoot(page)).toContain(`(deploy/${name})`);
  });

  it('lists every alert with its severity', () => {
    const { groups } = parse(readSample('prometheus-alerts.yml')) as { groups: { rules: Rule[] }[] };
    const listed = [...readRoot(page).matchAll(/^\| `(Tollgate\w+)` \| (\w+) \|/gm)].map(([, ...cells]) =>
      cells.join(),
    );
    const rules = groups.flatMap((group) => group.rules).map(({ alert, labels }) => `${alert},${labels.severity}`);
    expect(listed.sort()).toEqual(rules.sort());
  });
});

it('the deploy page, the alerts and the notes of the chart name commands that exist', async () => {
  const commands = texts.flatMap(
    (text) => text.match(/\btollgate (?!tollgate)[a-z]+( [a-z-]+)?( --[a-z]+)?(?=[ `".,:\n])/g) ?? [],
  );
  const named = [...new Set(commands)].filter((line) => /^tollgate (log|ledger|channel|doctor|serve)\b/.test(line));
  expect(named.length).toBeGreaterThan(5);
  for (const line of named) {
    const [, noun = '', verb = '', flag] = /^tollgate (\w+)(?: (list|get|stray|verify))?(?: (--\w+))?/.exec(line) ?? [];
    const { code, stdout } = await runCli([noun, verb, '--help'].filter(Boolean));
    expect(code, line).toBe(0);
    expect(stdout, line).toContain(`Usage: tollgate ${noun}${verb && ` ${verb}`}`);
    if (flag) expect(stdout, line).toContain(flag);
  }
});
