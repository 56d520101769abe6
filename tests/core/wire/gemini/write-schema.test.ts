import { describe, expect, it } from 'vitest';
import { toGoogleJsonSchema, toSchemaSubset } from '../../../../core/wire/gemini/write-schema.ts';

type Schema = Record<string, unknown>;

describe('a schema for an older Gemini model (edge 27)', () => {
  const address = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] };
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
      'several references in one, one of which is needed inside another',
      {
        allOf: [{ $ref: '#/$defs/Address' }, { $ref: '#/$defs/Parcel' }, { anyOf: [{ $ref: '#/$defs/Parcel' }] }],
        $defs: {
          Address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          Parcel: {
            type: 'object',
            properties: {
              to: { $ref: '#/$defs/Address' },
              stops: { type: 'array', items: { $ref: '#/$defs/Address' } },
            },
          },
        },
      },
      {
        type: 'OBJECT',
        properties: { city: { type: 'STRING' }, to: address, stops: { type: 'ARRAY', items: address } },
        required: ['city'],
      },
    ],
    [
      'one property in several of them',
      {
        properties: { unit: { description: 'WHAT' } },
        allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
        $defs: {
          A: {
            type: 'object',
            properties: { unit: { type: 'string', enum: ['km', 'm', 'mi'] }, size: { type: 'number', minimum: 1 } },
          },
          B: { properties: { unit: { enum: ['m', 'km'] }, size: { type: 'integer', minimum: 0, maximum: 9 } } },
        },
      },
      {
        type: 'OBJECT',
        properties: {
          unit: { type: 'STRING', enum: ['km', 'm'], description: 'WHAT' },
          size: { type: 'INTEGER', minimum: 1, maximum: 9 },
        },
      },
    ],
    [
      'alternatives in several of them',
      {
        allOf: [
          { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
          { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'integer' }, { type: 'null' }] },
        ],
      },
      { type: 'STRING', minLength: 1, maxLength: 5, nullable: true },
    ],
    [
      'references',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    ],
    [
      'a reference with words beside it, in a list of one',
      {
        type: 'object',
        properties: { a: { allOf: [{ $ref: '#/$defs/A' }], description: 'WHAT' } },
        $defs: { A: { type: 'string', enum: ['x'] } },
      },
      { type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['x'], description: 'WHAT' } } },
    ],
    [
      'a percent sign in a reference',
      { type: 'object', properties: { a: { $ref: '#/$defs/100%' } }, $defs: { '100%': { type: 'string' } } },
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
  it('stays small when schemas in schemas double at every step', () => {
    const $defs: Schema = {};
    for (let level = 0; level < 30; level += 1) {
      const next = { allOf: [{ $ref: `#/$defs/L${level + 1}` }, { type: 'object' }] };
      $defs[`L${level}`] = { type: 'object', properties: { a: next, b: next } };
    }
    $defs.L30 = { type: 'string' };
    const text = JSON.stringify(toGoogleJsonSchema({ $ref: '#/$defs/L0', $defs }));
    expect(text.length).toBeLessThan(1_000_000);
  });

  it('is written at once when what is to be one schema doubles at every step', () => {
    const $defs: Schema = { L30: { type: 'object', properties: { a: { type: 'string' } } } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/L${level + 1}` };
      $defs[`L${level}`] = { allOf: [next, next, { ...next, title: 'T' }] };
    }
    const schema = { allOf: [{ $ref: '#/$defs/L0' }], $defs };
    expect(toSchemaSubset(schema)).toEqual({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, title: 'T' });
  });

  it('is written at once, however many schemas are to be one', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
    const one = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });
    const all = { allOf: names.map(one) };
    const referring = {
      allOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
      $defs: Object.fromEntries(names.map((name) => [name, one(name)])),
    };
    // What it takes, not how long: the machine has other work.
    const before = process.cpuUsage();
    const written = [all, referring].flatMap((schema) => [toGoogleJsonSchema(schema), toSchemaSubset(schema)]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
    const required = written.map((schema) => (schema.required as string[]).length);
    expect(required).toEqual(written.map(() => names.length));
  });

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
      properties: { a: { type: ['string', 'null'], enum: ['x'] }, b: { $ref: '#/$defs/B' } },
      additionalProperties: false,
      $defs: { B: { type: 'integer' } },
    });
  });

  const list = { type: 'object', properties: { next: { $ref: '#/definitions/List' }, name: { type: 'string' } } };
  it.each<[string, Schema, Schema]>([
    [
      'a schema that is one reference, as generators write one with a name',
      { $ref: '#/definitions/List', definitions: { List: list }, $schema: 'x' },
      {
        type: 'object',
        properties: { next: { $ref: '#/$defs/List' }, name: { type: 'string' } },
        $defs: {
          List: { type: 'object', properties: { next: { $ref: '#/$defs/List' }, name: { type: 'string' } } },
        },
      },
    ],
    [
      'a reference with words beside it',
      { properties: { a: { allOf: [{ $ref: '#/$defs/A' }], description: 'WHAT' } }, $defs: { A: { enum: ['x'] } } },
      { properties: { a: { enum: ['x'], description: 'WHAT' } }, $defs: { A: { enum: ['x'] } } },
    ],
    [
      'several references in one',
      {
        properties: { a: { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] } },
        $defs: { A: { properties: { x: { type: 'string' } } }, B: { properties: { y: { type: 'number' } } } },
      },
      {
        properties: { a: { properties: { x: { type: 'string' }, y: { type: 'number' } } } },
        $defs: { A: { properties: { x: { type: 'string' } } }, B: { properties: { y: { type: 'number' } } } },
      },
    ],
    [
      'a property that is called definitions',
      { properties: { definitions: { type: 'string' }, b: { $ref: '#/properties/definitions' } } },
      { properties: { definitions: { type: 'string' }, b: { $ref: '#/properties/definitions' } } },
    ],
    [
      'a list of itself, with words beside each',
      {
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: { A: { properties: { next: { allOf: [{ $ref: '#/$defs/A' }], description: 'WHAT' } } } },
      },
      {
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: {
          A: { properties: { next: { properties: { next: { $ref: '#/$defs/A' } }, description: 'WHAT' } } },
        },
      },
    ],
    ['a schema of itself alone', { allOf: [{ $ref: '#' }] }, { type: 'object' }],
  ])('has no reference that leads nowhere: %s', (_name, given, expected) => {
    expect(toGoogleJsonSchema(given)).toEqual(expected);
  });
});
