import { describe, expect, it } from 'vitest';
import { toGoogleJsonSchema, toSchemaSubset } from '../../../../core/wire/gemini/write-schema.ts';

type Schema = Record<string, unknown>;

describe('a schema for an older Gemini model (edge 27)', () => {
  const cases: [string, Schema, Schema][] = [
    ['types in capitals', { type: 'string' }, { type: 'STRING' }],
    [
      'unknown members',
      { $schema: 'x', $id: 'y', type: 'object', additionalProperties: false, examples: [1] },
      { type: 'OBJECT' },
    ],
    ['a type or null', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    ['two types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] }],
    ['a constant', { const: 'x' }, { type: 'STRING', enum: ['x'] }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'STRING', enum: ['1', '2'] }],
    [
      'one of',
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
    ],
    [
      'one of something and null',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'STRING', nullable: true },
    ],
    ['formats Google does not know', { type: 'string', format: 'uri' }, { type: 'STRING' }],
    ['formats it knows', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
    ['exclusive bounds', { type: 'number', exclusiveMinimum: 0, maximum: 9 }, { type: 'NUMBER', maximum: 9 }],
    ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    [
      'required names that are none',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
    [
      'all of',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } } },
        ],
      },
      { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'NUMBER' } }, required: ['a'] },
    ],
    [
      'references',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    ],
    [
      'a reference to itself',
      { type: 'object', properties: { next: { $ref: '#' } } },
      { type: 'OBJECT', properties: { next: { type: 'OBJECT', properties: { next: { type: 'OBJECT' } } } } },
    ],
  ];

  it.each(cases)('has %s', (_name, given, expected) => {
    expect(toSchemaSubset(given)).toEqual(expected);
  });

  it('stays small when references double at every step (B121)', () => {
    const $defs: Schema = {};
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/L${level + 1}` };
      $defs[`L${level}`] = { type: 'object', properties: { a: next, b: next } };
    }
    $defs.L30 = { type: 'string' };
    const text = JSON.stringify(toSchemaSubset({ $ref: '#/$defs/L0', $defs }));
    expect(text.length).toBeLessThan(1_000_000);
  });
});

describe('a schema for Gemini 2.5 and later', () => {
  it('stays JSON Schema, less what Google refuses', () => {
    expect(
      toGoogleJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          a: { type: ['string', 'null'], pattern: '^x', const: 'x' },
          b: { $ref: '#/definitions/B', title: 'no' },
        },
        additionalProperties: false,
        definitions: { B: { type: 'integer', exclusiveMinimum: 0 } },
        propertyNames: { pattern: 'a' },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'], enum: ['x'] }, b: { $ref: '#/definitions/B' } },
      additionalProperties: false,
      $defs: { B: { type: 'integer' } },
    });
  });
});
