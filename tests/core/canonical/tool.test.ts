import { describe, expect, it } from 'vitest';
import { argumentObject, argumentObjectOrWrapped, customToolInput } from '../../../core/canonical/tool-arguments.ts';
import { ToolNames } from '../../../core/canonical/tool-name.ts';
import { RawJson, writeJson } from '../../../core/lib/raw-json.ts';

describe('arguments of a tool call', () => {
  it('edge 4: none are an empty object, and text that is not JSON is never a bare string', () => {
    expect(['', ' ', 'null'].map(argumentObject)).toEqual([{}, {}, {}]);
    expect(['5', '"a"', '[1]', '{"a":'].map(argumentObject)).toEqual([undefined, undefined, undefined, undefined]);
    expect(argumentObjectOrWrapped('{"a":')).toEqual({ arguments: '{"a":' });
  });

  it('go out word for word, numbers beyond 2^53 included', () => {
    const text = '{"id": 12345678901234567890, "b":1.0}';
    expect(writeJson({ input: argumentObject(text), gone: undefined, list: [1, 'ä"', null] })).toBe(
      `{"input":${text},"list":[1,"ä\\"",null]}`,
    );
    expect(JSON.parse(JSON.stringify(new RawJson('{"a":1}')))).toEqual({ a: 1 });
  });

  it('of a custom tool come back as the text they were', () => {
    expect(customToolInput('{"input":"*** Begin\\n"}')).toBe('*** Begin\n');
    expect(customToolInput('{"other":1}')).toBe('{"other":1}');
  });
});

describe('tool names', () => {
  const rule = { letter: /[a-zA-Z0-9_-]/, name: /^[a-zA-Z0-9_-]+$/, maximum: 16 };

  it('stay as they are where the upstream takes them', () => {
    const names = new ToolNames(rule, ['read_file']);
    expect(names.write('read_file')).toBe('read_file');
    expect(names.changed.size).toBe(0);
  });

  it('lose no tool to another when they are cleaned, and come back', () => {
    const all = ['mcp.read', 'mcp_read', 'mcp:read', '文件', 'a'.repeat(40)];
    const names = new ToolNames(rule, all);
    const written = all.map((name) => names.write(name));
    expect(new Set(written).size).toBe(all.length);
    expect(written.every((name) => /^[a-zA-Z0-9_-]{1,16}$/.test(name))).toBe(true);
    expect(written.map((name) => names.changed.get(name) ?? name)).toEqual(all);
    const again = new ToolNames(rule, all);
    expect(all.map((name) => again.write(name))).toEqual(written);
  });
});
