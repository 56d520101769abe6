import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { completionScripts } from '../../cli/complete/script.ts';

const require = createRequire(import.meta.url);
const script = completionScripts.powershell;

/** No PowerShell can be installed from the sources this project uses: its grammar reads the script in its place. */
describe('the completion script of PowerShell', () => {
  let parser: Parser;
  beforeAll(async () => {
    await Parser.init({ locateFile: (name: string) => join(dirname(require.resolve('web-tree-sitter')), name) });
    const grammar = join(
      dirname(require.resolve('tree-sitter-powershell/package.json')),
      'tree-sitter-powershell.wasm',
    );
    parser = new Parser();
    parser.setLanguage(await Language.load(grammar));
  });

  const parse = (text: string): Node => {
    const tree = parser.parse(text);
    if (!tree) throw new Error('the parser gave up');
    return tree.rootNode;
  };
  const textsOf = (root: Node, type: string) => root.descendantsOfType(type).map((node) => node?.text ?? '');

  it('is PowerShell, and the grammar notices what is not', () => {
    expect(parse(script).hasError).toBe(false);
    const damaged = [
      script.replace('param($wordToComplete', 'param($wordToComplete {'),
      script.replace(/\}\n$/, ''),
      script.replace('"$($_.Value)"', '"$($_.Value"'),
      script.replace("'ParameterValue'", "'ParameterValue"),
    ];
    for (const text of damaged) expect(parse(text).hasError).toBe(true);
  });

  it('registers a completer of a program that takes the three arguments it is called with', () => {
    const root = parse(script);
    expect(textsOf(root, 'command_name')).toEqual(
      expect.arrayContaining(['Register-ArgumentCompleter', 'Where-Object', 'ForEach-Object', 'Get-ChildItem']),
    );
    expect(textsOf(root, 'command_parameter')).toEqual(
      expect.arrayContaining(['-Native', '-CommandName', '-ScriptBlock']),
    );
    const [parameters = ''] = textsOf(root, 'param_block');
    expect(parameters.match(/\$\w+/g)).toEqual(['$wordToComplete', '$commandAst', '$cursorPosition']);
  });

  it('uses no variable that it does not set', () => {
    const used = new Set(textsOf(parse(script), 'variable').map((name) => name.toLowerCase()));
    const set = new Set(
      [...script.matchAll(/(\$\w+)(?=(?:, \$\w+)* = )|param\(([^)]*)\)/g)].flatMap((match) =>
        (match[1] ?? match[2] ?? '').split(', '),
      ),
    );
    const given = ['$_', '$null', '@arguments'];
    const names = [...set].map((name) => name.toLowerCase());
    expect([...used].filter((name) => !names.includes(name) && !given.includes(name))).toEqual([]);
  });

  it('inserts a name with spaces, quotes and $() as one word that runs nothing', () => {
    // As the script does it: in single quotes, each of its own doubled.
    const [, pattern = ''] = /-match '((?:[^']|'')*)'/.exec(script) ?? [];
    const needsQuotes = new RegExp(pattern.replaceAll("''", "'"));
    for (const name of ['main one', "it's $(touch pwned)", '主 渠道', 'a;b', 'a`b', 'a"b']) {
      expect(needsQuotes.test(name)).toBe(true);
      const typed = `'${name.replaceAll("'", "''")}'`;
      const root = parse(`tollgate channel get ${typed}\n`);
      expect(root.hasError).toBe(false);
      expect(textsOf(root, 'verbatim_string_characters')).toEqual([typed]);
      expect(textsOf(root, 'sub_expression')).toEqual([]);
      expect(textsOf(root, 'command_name')).toEqual(['tollgate']);
    }
    for (const plain of ['channel', '主渠道', 'gpt-4o-mini', 'qwen:7b']) expect(needsQuotes.test(plain)).toBe(false);
  });
});
