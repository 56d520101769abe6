import type { Key as InkKey } from 'ink';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../cli/tui/filter.ts';
import { createKeySplitter } from '../../../cli/tui/keys.ts';

const plain = {} as InkKey;
const split = (input: string, key: Partial<InkKey> = {}) => createKeySplitter()(input, { ...plain, ...key });
const names = (input: string, key: Partial<InkKey> = {}) => split(input, key).map(({ name }) => name);

describe('keys', () => {
  it('that came at once are heard one by one', () => {
    expect(names('jjj')).toEqual(['j', 'j', 'j']);
    expect(names('/主\r')).toEqual(['/', '主', 'enter']);
    expect(names('x\u0013\u007f\t')).toEqual(['x', 'ctrl-s', 'backspace', 'tab']);
  });

  it('keep Esc when the next one follows on its heels', () => {
    expect(names('q', { meta: true })).toEqual(['escape', 'q']);
    expect(names('', { escape: true, meta: true })).toEqual(['escape']);
  });

  it('of an unknown kind write nothing', () => {
    expect(names('[57415u')).toEqual([]);
    expect(names('[I')).toEqual([]);
    expect(names('[')).toEqual(['[']);
  });

  it('pasted between marks stay one text, control characters and all', () => {
    const read = createKeySplitter();
    expect(read('[200~', plain)).toEqual([]);
    expect(read('sk-one\nq', plain)).toEqual([]);
    expect(read('', { ...plain, return: true })).toEqual([]);
    expect(read('[201~', plain)).toEqual([{ name: 'paste', text: 'sk-one\nq\n' }]);
    expect(read('j', plain)).toEqual([{ name: 'j', text: 'j' }]);
  });

  it('pasted between marks have their line breaks as lines, though a terminal sends them as Enter', () => {
    const read = createKeySplitter();
    read('[200~', plain);
    read('{\r "a": 1,\r\n "b": 2\r}', plain);
    expect(read('[201~', plain)).toEqual([{ name: 'paste', text: '{\n "a": 1,\n "b": 2\n}' }]);
  });

  it('pasted without marks stay one text when there are lines in it', () => {
    expect(split('sk-one\r\nsk-two')).toEqual([{ name: 'paste', text: 'sk-one\nsk-two' }]);
  });
});

describe('a filter', () => {
  const keys = ['group', 'model'];

  it('has words to search for and key:value words', () => {
    expect(parseFilter('claude group:vip  main', keys)).toEqual({
      keyword: 'claude main',
      values: { group: 'vip' },
      unknown: [],
    });
  });

  it('takes two words as one between quotes, and names what it does not know', () => {
    const filter = parseFilter('group:"very important" owner:me https://a.example', keys);
    expect(filter.values).toEqual({ group: 'very important' });
    expect(filter.unknown).toEqual(['owner:me']);
    expect(filter.keyword).toBe('https://a.example');
  });
});
