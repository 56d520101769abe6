import { cpus, loadavg, release, totalmem } from 'node:os';
import { type Figure, type Target, targets, verdictOf } from './targets.ts';

export interface Report {
  machine: string;
  database: string;
  quick: boolean;
  figures: Figure[];
  /** How far the bare pass-through is from itself in the same run: what a ratio here can be trusted to. */
  noise: string[];
}

export function describeMachine(): string {
  const [first] = cpus();
  const memory = (totalmem() / 1024 ** 3).toFixed(0);
  const busy = (loadavg()[0] ?? 0).toFixed(1);
  const model = first?.model.trim() || 'unknown processor';
  return `${cpus().length} × ${model}, ${memory} GiB, Linux ${release()}, Node ${process.version}, load ${busy} at the start`;
}

export function renderReport({ machine, database, quick, figures, noise }: Report): string {
  const rows = figures.map(({ name, value, detail }) => {
    const target: Target = targets[name];
    return [
      target.figure.en,
      show(target, value),
      limit(target, target.must),
      limit(target, target.goal),
      verdictOf(target, value),
      detail,
    ];
  });
  const head = ['figure', 'measured', 'must', 'goal', 'verdict', 'behind it'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    machine,
    `authentication, routing, billing and log rows on; ${database}; medians of interleaved rounds${quick ? '; quick run' : ''}`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    ...(noise.length > 0 ? ['', `raw against itself in this run: ${noise.join(', ')}`] : []),
    '',
  ].join('\n');
}

export function reportJson(report: Report): string {
  const figures = report.figures.map(({ name, value, detail }) => {
    const target: Target = targets[name];
    return { name, ...target, value, detail, verdict: verdictOf(target, value) };
  });
  return `${JSON.stringify({ ...report, figures }, null, 2)}\n`;
}

function show(target: Target, value: number): string {
  return `${value.toFixed(target.digits)}${target.unit ? ` ${target.unit}` : ''}`;
}

function limit(target: Target, value: number | undefined): string {
  return value === undefined
    ? '-'
    : `${value === 0 || target.unit === '' ? '' : '≤ '}${value}${target.unit ? ` ${target.unit}` : ''}`;
}
