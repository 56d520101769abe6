/** One operand of a command in a Go template. */
export type Word =
  | { kind: 'value'; value: string | number | boolean }
  /** `.Values.name` (of the dot), `$.Values.name`, `$name`; the variable '' is `$`. */
  | { kind: 'path'; variable: string | undefined; path: string[] }
  | { kind: 'function'; name: string }
  | { kind: 'group'; words: Word[][] };

/** The commands of a pipeline, each a list of operands. */
export function parseExpression(source: string): Word[][] {
  const tokens = source.match(/"(?:[^"\\]|\\.)*"|[()|]|\$?[\w.$-]+/g) ?? [];
  if (tokens.join('').length !== source.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '').length)
    throw new Error(`this renderer cannot read: ${source}`);
  let at = 0;

  function readPipeline(): Word[][] {
    const commands: Word[][] = [[]];
    for (let token = tokens[at++]; token !== undefined && token !== ')'; token = tokens[at++]) {
      if (token === '|') commands.push([]);
      else commands.at(-1)?.push(token === '(' ? { kind: 'group', words: readPipeline() } : readWord(token));
    }
    return commands;
  }

  return readPipeline();
}

function readWord(token: string): Word {
  if (token.startsWith('"')) return { kind: 'value', value: JSON.parse(token) as string };
  if (/^-?\d+$/.test(token)) return { kind: 'value', value: Number(token) };
  if (token === 'true' || token === 'false') return { kind: 'value', value: token === 'true' };
  if (token.startsWith('.')) return { kind: 'path', variable: undefined, path: token.split('.').filter(Boolean) };
  if (token.startsWith('$')) {
    const [variable = '', ...path] = token.slice(1).split('.');
    return { kind: 'path', variable, path };
  }
  return { kind: 'function', name: token };
}
