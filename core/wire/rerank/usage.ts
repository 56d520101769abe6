import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { countOf, type JsonObject, recordOf } from '../../lib/json-value.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';

/** Counts beyond this are not sane. */
const maxPlausible = 10_000_000;

/** Tokens, searches or both: vendors sell by the one or by the other. */
export function readRerankUsage(response: unknown): Usage | undefined {
  const tokens = readResponseUsage(response, { hasCompletion: false });
  const searches = readSearches(recordOf(response));
  return searches === undefined ? tokens : { ...(tokens ?? emptyUsage), searches };
}

/** Vendors that sell tokens write 0 here. */
export function readSearches({ meta }: JsonObject): number | undefined {
  const searches = countOf(recordOf(recordOf(meta).billed_units).search_units);
  return searches === undefined || searches === 0 || searches > maxPlausible ? undefined : searches;
}
