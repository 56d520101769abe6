import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { parseExpression, type Word } from './go-template-expression.ts';

/** The part of Go's text/template, and of the functions Helm adds to it, that our chart uses. What is unknown is an error. */
export type Value = unknown;

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; words: Word[][] }
  | { kind: 'set'; name: string; words: Word[][] }
  | { kind: 'range'; names: string[]; words: Word[][]; body: Node[] }
  | { kind: 'branch'; isWith: boolean; words: Word[][]; body: Node[]; otherwise: Node[] };

interface Scope {
  dot: Value;
  variables: Map<string, Value>;
}

type Definitions = Map<string, Node[]>;

/** Reads a file; what it defines is added to the definitions, what it prints comes back. */
export function readTemplate(text: string, definitions: Definitions): Node[] {
  const pieces = [...text.matchAll(/\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}|((?:(?!\{\{)[\s\S])+)/g)];
  const tokens = pieces.map(([, left, action = '', right, plain]) => ({ left, action, right, plain }));
  for (const [at, { left, right }] of tokens.entries()) {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (left && before?.plain !== undefined) before.plain = before.plain.trimEnd();
    if (right && after?.plain !== undefined) after.plain = after.plain.trimStart();
  }
  let at = 0;

  /** Up to the `end` or `else` of the block that is open. */
  function readBlock(): { nodes: Node[]; stop: string } {
    const nodes: Node[] = [];
    for (let token = tokens[at++]; token; token = tokens[at++]) {
      const { plain, action } = token;
      if (plain !== undefined) nodes.push({ kind: 'text', text: plain });
      else if (/^(end|else)\b/.test(action)) return { nodes, stop: action };
      else if (!action.startsWith('/*')) nodes.push(...readAction(action));
    }
    return { nodes, stop: '' };
  }

  function readAction(action: string): Node[] {
    const [, word = '', rest = ''] = /^(\w*)\s*([\s\S]*)$/.exec(action) ?? [];
    if (word === 'define') {
      definitions.set(rest.slice(1, -1), readBlock().nodes);
      return [];
    }
    if (word === 'range') {
      const [, list = '', source = rest] = /^((?:\$\w+,?\s*)+):=([\s\S]*)$/.exec(rest) ?? [];
      const words = parseExpression(source);
      return [{ kind: 'range', names: list.match(/\w+/g) ?? [], words, body: readBlock().nodes }];
    }
    if (word === 'if' || word === 'with') return [readBranch(word === 'with', rest)];
    const [, name, value = ''] = /^\$(\w+)\s*:=([\s\S]*)$/.exec(action) ?? [];
    if (name) return [{ kind: 'set', name, words: parseExpression(value) }];
    return [{ kind: 'print', words: parseExpression(action) }];
  }

  function readBranch(isWith: boolean, condition: string): Node {
    const words = parseExpression(condition);
    const { nodes: body, stop } = readBlock();
    const [, next] = /^else if ([\s\S]+)$/.exec(stop) ?? [];
    const otherwise = next ? [readBranch(false, next)] : stop === 'else' ? readBlock().nodes : [];
    return { kind: 'branch', isWith, words, body, otherwise };
  }

  return readBlock().nodes;
}

export function renderTemplate(nodes: Node[], dot: Value, definitions: Definitions): string {
  return render(nodes, { dot, variables: new Map([['', dot]]) });

  function render(list: Node[], scope: Scope): string {
    return list.map((node) => renderNode(node, scope)).join('');
  }

  function renderNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    const value = evaluate(node.words, scope);
    if (node.kind === 'print') return value === undefined || value === null ? '' : String(value);
    if (node.kind === 'set') {
      scope.variables.set(node.name, value);
      return '';
    }
    if (node.kind === 'range')
      return entriesOf(value)
        .map((entry) => renderEntry(node, entry, scope))
        .join('');
    const inner = { dot: node.isWith && isTrue(value) ? value : scope.dot, variables: new Map(scope.variables) };
    return render(isTrue(value) ? node.body : node.otherwise, inner);
  }

  function renderEntry({ names, body }: Node & { kind: 'range' }, entry: [Value, Value], scope: Scope): string {
    const variables = new Map(scope.variables);
    for (const [at, name] of names.entries()) variables.set(name, entry[at]);
    return render(body, { dot: entry[1], variables });
  }

  /** The result of each command is the last argument of the next. */
  function evaluate(words: Word[][], scope: Scope): Value {
    let result: Value;
    for (const [at, command] of words.entries()) {
      const [first, ...rest] = command;
      const passed = at === 0 ? [] : [result];
      const values = [...rest.map((word) => operandOf(word, scope)), ...passed];
      result = first?.kind === 'function' ? call(first.name, values) : first && operandOf(first, scope);
    }
    return result;
  }

  function operandOf(word: Word, scope: Scope): Value {
    if (word.kind === 'value') return word.value;
    if (word.kind === 'group') return evaluate(word.words, scope);
    if (word.kind === 'function') return call(word.name, []);
    const start = word.variable === undefined ? scope.dot : scope.variables.get(word.variable);
    return word.path.reduce((value: Value, name) => (value as Record<string, Value> | undefined)?.[name], start);
  }

  function call(name: string, values: Value[]): Value {
    if (name === 'include') {
      const nodes = definitions.get(String(values[0]));
      if (!nodes) throw new Error(`there is no template ${values[0]}`);
      return renderTemplate(nodes, values[1], definitions);
    }
    const found = functions[name];
    if (!found) throw new Error(`this renderer does not know the function ${name}`);
    return found(...values);
  }
}

/** What Go takes for true. */
function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function entriesOf(value: Value): [Value, Value][] {
  if (Array.isArray(value)) return [...value.entries()];
  return Object.entries((value ?? {}) as object).sort(([one], [other]) => (one < other ? -1 : 1));
}

const text = (value: Value): string => (value === undefined || value === null ? '' : String(value));

// biome-ignore lint/suspicious/noExplicitAny: each takes what its call in the chart gives it
const functions: Record<string, (...values: any[]) => Value> = {
  add: (...numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  contains: (part: string, whole: string) => whole.includes(part),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  fail: (message: string) => {
    throw new Error(message);
  },
  gt: (one: number, other: number) => one > other,
  int: (value) => Math.trunc(Number(value)),
  join: (separator: string, list: Value[]) => list.join(separator),
  nindent: (spaces: number, lines: string) => `\n${lines.replace(/^/gm, ' '.repeat(spaces))}`,
  not: (value) => !isTrue(value),
  omit: (map: object, ...keys: string[]) =>
    Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key))),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  printf: (format: string, ...values) => format.replace(/%s/g, () => text(values.shift())),
  quote: (value) => JSON.stringify(text(value)),
  sha256sum: (value: string) => createHash('sha256').update(value).digest('hex'),
  toYaml: (value) => stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0 }).trimEnd(),
  trimSuffix: (end: string, value: string) => (value.endsWith(end) ? value.slice(0, -end.length) : value),
  trunc: (length: number, value: string) => value.slice(0, length),
};
