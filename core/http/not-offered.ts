/** Calls the vendors' SDKs know that are not offered here; each folder with everything in it. */
const folders = [
  'assistants',
  'batches',
  'containers',
  'conversations',
  'evals',
  'files',
  'fine-tunes',
  'fine_tuning',
  'skills',
  'threads',
  'uploads',
  'vector_stores',
  'messages/batches',
  'organizations',
];
const googleFolders = [
  'batches',
  'cachedContents',
  'corpora',
  'fileSearchStores',
  'files',
  'interactions',
  'operations',
  'tunedModels',
];
const googleActions = [
  'asyncBatchEmbedContent',
  'batchGenerateContent',
  'computeTokens',
  'predict',
  'predictLongRunning',
];

const known = [
  new RegExp(`^\\w+ /v1/(${folders.join('|')})(/|$)`),
  new RegExp(`^\\w+ (/upload)?/v1beta/(${googleFolders.join('|')})(/|$)`),
  new RegExp(`^POST /.*:(${googleActions.join('|')})$`),
  /^POST \/v1\/(edits|images\/variations|complete)$/,
  /^DELETE \/v1\/models\/[^/]+$/,
];

export function isNotOffered(method: string, path: string): boolean {
  const call = `${method} ${path}`;
  return known.some((shape) => shape.test(call));
}
