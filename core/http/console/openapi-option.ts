import type { OpenAPIV3_1 } from 'openapi-types';
import { definitionOf, optionKeys } from '../../schemas/option.ts';
import { optionText } from '../../text/option.ts';

/** The key of a setting: each one with its label, its hint and its default as text. */
export function optionKeySchema(): OpenAPIV3_1.SchemaObject {
  const oneOf = optionKeys.map((key) => {
    const { label, hint } = optionText('en', key);
    const { write, default: fallback } = definitionOf(key);
    const text = write(fallback);
    return { const: key, title: label, description: text === '' ? hint : `${hint} Default: ${text}` };
  });
  return { type: 'string', oneOf };
}
