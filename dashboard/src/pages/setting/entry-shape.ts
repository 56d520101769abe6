import type { OptionKey } from '../../../../core/schemas/option.ts';
import { rescueLevels } from '../../../../core/schemas/rescue-level.ts';
import { routingStrategies } from '../../../../core/schemas/routing-strategy.ts';
import { serverTools, serviceTiers } from '../../../../core/schemas/surcharge.ts';
import type { EntryShape } from './json-entries.ts';

interface EntryLayout {
  shape: EntryShape;
  /** The texts are `entry.key.<word>` and `entry.column.<word>`. */
  keyWord: string;
  columnWords: string[];
  start: Record<string, unknown>;
  suggestions?: readonly string[];
}

const numbers = (keyWord: string, columnWord: string, suggestions?: readonly string[]): EntryLayout => ({
  shape: { kind: 'value', columns: [{ key: 'value' }] },
  keyWord,
  columnWords: [columnWord],
  start: { value: 1 },
  ...(suggestions && { suggestions }),
});

/** One of a few words for a group; the texts are `entry.choice.<word>`. */
const choice = (columnWord: string, choices: readonly string[], value: string): EntryLayout => ({
  shape: { kind: 'value', columns: [{ key: 'value', choices }] },
  keyWord: 'group',
  columnWords: [columnWord],
  start: { value },
});

const longPrompt = ['above', 'prompt', 'cached', 'completion'];

/** Which JSON options can be edited as rows, and how. */
export const entryLayouts: Partial<Record<OptionKey, EntryLayout>> = {
  GroupRatio: numbers('group', 'ratio'),
  TopupGroupRatio: numbers('group', 'ratio'),
  CreateCacheRatio: numbers('model', 'ratio'),
  CreateCacheHourRatio: numbers('model', 'ratio'),
  ToolPrice: numbers('tool', 'dollars', serverTools),
  ServiceTierRatio: numbers('tier', 'ratio', serviceTiers),
  GroupStreamRescue: choice('rescue', rescueLevels, 'any'),
  GroupRoutingStrategy: choice('routing', routingStrategies, 'speed'),
  UserUsableGroups: {
    shape: { kind: 'value', columns: [{ key: 'value', isText: true }] },
    keyWord: 'group',
    columnWords: ['description'],
    start: { value: '' },
  },
  LongPromptRatio: {
    shape: { kind: 'fields', columns: longPrompt.map((key) => ({ key })) },
    keyWord: 'model',
    columnWords: longPrompt,
    start: { above: 200_000, prompt: 2, cached: 2, completion: 1.5 },
  },
  Chats: {
    shape: { kind: 'list', columns: [{ key: 'value', isText: true }] },
    keyWord: 'chat',
    columnWords: ['link'],
    start: { value: 'https://' },
  },
};
