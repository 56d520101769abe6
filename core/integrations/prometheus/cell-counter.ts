import { Counter, type Registry } from 'prom-client';

/** One count; once looked up, adding to it costs nothing more. */
export interface Cell {
  value: number;
}

interface CellCounterInput {
  registry: Registry;
  name: string;
  help: string;
  labels: readonly string[];
}

type Level = Map<string, Level | Cell>;

/**
 * A counter with one number for each combination of labels. The library's own counter writes a text of all labels at each count;
 * here that is done only when the metrics are read.
 */
export class CellCounter {
  private readonly first: Level = new Map();
  private readonly cells: { labels: Record<string, string>; cell: Cell }[] = [];
  private readonly labels: readonly string[];

  constructor({ registry, name, help, labels }: CellCounterInput) {
    this.labels = labels;
    const { cells } = this;
    new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels: of, cell } of cells) this.inc(of, cell.value);
      },
    });
  }

  /** The values in the order of the labels; they must come from a bounded set. */
  of(...values: string[]): Cell {
    let level = this.first;
    const last = values.length - 1;
    for (let depth = 0; depth < last; depth++) {
      const value = values[depth] ?? '';
      let next = level.get(value) as Level | undefined;
      if (!next) {
        next = new Map();
        level.set(value, next);
      }
      level = next;
    }
    const known = level.get(values[last] ?? '') as Cell | undefined;
    return known ?? this.add(level, values);
  }

  private add(level: Level, values: string[]): Cell {
    const cell: Cell = { value: 0 };
    level.set(values.at(-1) ?? '', cell);
    this.cells.push({ labels: Object.fromEntries(this.labels.map((label, at) => [label, values[at] ?? ''])), cell });
    return cell;
  }
}
