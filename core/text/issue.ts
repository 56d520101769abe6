import { z } from 'zod';
import { coded } from './coded.ts';

type Issue = z.core.$ZodRawIssue;

const kinds = {
  string: 'issue.string',
  number: 'issue.number',
  int: 'input.whole',
  boolean: 'issue.boolean',
  object: 'issue.object',
  record: 'issue.object',
  array: 'issue.array',
} as const;

/** What a schema without a text of its own has to say, as a code: who will read it is not known where it is checked. */
function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return coded('issue.missing');
      return coded(issue.expected in kinds ? kinds[issue.expected as keyof typeof kinds] : 'issue.other');
    case 'invalid_value':
      return coded('issue.oneOf', { values: issue.values.map(String).join(', ') });
    case 'unrecognized_keys':
      return coded('issue.unknownKeys', { names: issue.keys.join(', ').slice(0, 200) });
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive === true);
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive === true);
    case 'invalid_union':
      // The last form is the one that is written out; those before it stand for something left empty.
      return issue.errors?.at(-1)?.[0]?.message ?? coded('issue.other');
    case 'invalid_format':
      return coded('issue.format');
    default:
      return coded('issue.other');
  }
}

function tooBig(origin: string, limit: number, isInclusive: boolean): string {
  if (origin === 'string') return coded('input.maxCharacters', { limit });
  if (origin === 'array') return coded('issue.maxEntries', { limit });
  return coded(isInclusive ? 'issue.max' : 'issue.below', { limit });
}

function tooSmall(origin: string, limit: number, isInclusive: boolean): string {
  if (origin === 'string') return limit === 1 ? coded('issue.empty') : coded('input.minCharacters', { limit });
  if (origin === 'array') return coded('issue.minEntries', { limit });
  return coded(isInclusive ? 'issue.min' : 'issue.above', { limit });
}

// For every schema of the program: an error that is thrown far below is put into words by the edge that reports it.
z.config({ customError: issueText });
